import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ConsumerError } from './consumer-error.ts';
import { Consumer, type ConsumerOptions } from './consumer.ts';
import { reporter } from './reporter.ts';
import { markParsed } from '../../http/src/webhook-secret.ts';
import { keysOf, verifyWebhook, type Webhook, type WebhookOptions } from './webhook.ts';

export type WebhookReceiverOptions = ConsumerOptions &
  WebhookOptions & {
    /** Gets what a handler threw, and why a webhook was refused. By default it goes to the console. */
    onError?: (error: unknown) => void;
  };

export type WebhookReceiver = (request: Request) => Promise<Response>;

/**
 * Receives webhooks and proves that the URL is yours. It answers 204 after all events of a call are handled. After any other
 * answer the service sends the same events again, and later ones wait.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  keysOf(options.secret);
  const consumer = new Consumer(options);
  const report = reporter(options.onError);
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    let webhook: Webhook;
    try {
      webhook = await verifyWebhook(request, options);
    } catch (error) {
      report(error);
      const isInvalid = error instanceof ConsumerError && error.code === 'invalid-webhook';
      return new Response(null, { status: isInvalid ? 400 : 500 });
    }
    if (webhook.type === 'verification') return Response.json({ challenge: webhook.challenge });
    try {
      await consumer.handle(webhook.events);
      return new Response(null, { status: 204 });
    } catch (error) {
      report(error);
      return new Response(null, { status: 500 });
    }
  };
}

/**
 * A receiver as a listener of `node:http`, also behind Express. Of parsers, it may be behind those that keep the bytes, such as
 * `express.raw()`.
 */
export const toNodeListener =
  (receiver: WebhookReceiver) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    // Some methods cannot be made a `Request`, and nobody may end the server with one.
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end();
      return;
    }
    void receiver(toRequest(request))
      .catch((error: unknown) => {
        reporter()(error);
        return new Response(null, { status: 500 });
      })
      .then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(await answer.text());
      });
  };

function toRequest(request: IncomingMessage & { body?: unknown; rawBody?: unknown }): Request {
  const named = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  // NestJS and Google's functions keep the bytes beside what they parsed.
  const body = request.rawBody instanceof Uint8Array ? request.rawBody : request.body;
  const isKept = typeof body === 'string' || body instanceof Uint8Array;
  const isParsed = !isKept && request.readableDidRead;
  // The path is the server's business.
  const made = new Request('http://localhost/', {
    method: 'POST',
    headers: Object.fromEntries(named),
    body: isKept
      ? new Uint8Array(Buffer.from(body as string))
      : isParsed
        ? JSON.stringify(body ?? '')
        : (Readable.toWeb(request) as ReadableStream<Uint8Array>),
    duplex: 'half',
  });
  return isParsed ? markParsed(made) : made;
}
