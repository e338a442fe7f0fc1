import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Faults, Hit } from '../aws/endpoint/faults.ts';
import { createRingBuffer, type RingBuffer } from '../aws/endpoint/ring-buffer.ts';
import { type AwsRequest, readRequest, send } from '../aws/endpoint/http.ts';
import { serveLoopback } from '../server/loopback-server.ts';
import { serveBrowser } from './browser-socket.ts';
import { refusalOf } from './check-push.ts';
import { Subscriptions } from './subscriptions.ts';

/** A push to a browser, encrypted. */
export type WebPush = {
  at: string;
  platform: 'web';
  /** The subscription's endpoint. */
  token: string;
  headers: Record<string, string>;
  body: Buffer;
};

export type WebPushes = RingBuffer<WebPush>;

const keptPushes = 10_000;

/** A push service of browsers: RFC 8030 for application servers, and Firefox's WebSocket protocol for browsers. */
export type PushService = {
  /** Each subscription's endpoint is below. */
  url: string;
  pushes: WebPushes;
  close: () => Promise<void>;
};

type Answer = { status: number; message?: string; headers?: Record<string, string> };

const path = '/push';

/** Headers that matter of a push. */
const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

export async function startPushService({ faults }: { faults: Faults }): Promise<PushService> {
  const pushes = createRingBuffer<WebPush>(keptPushes);
  const subscriptions = new Subscriptions();
  const sockets = new WebSocketServer({ noServer: true });
  const server = await serveLoopback(
    (incoming, response) => {
      readRequest(incoming)
        .then(async (request) => await answer(request))
        .then(({ status, message, headers = {} }) => {
          const body = message === undefined ? '' : JSON.stringify({ message });
          send(response, { status, headers: { ...headers, 'content-type': 'application/json' }, body });
        })
        .catch(() => response.destroy());
    },
    {
      upgrade: (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (browser) =>
          serveBrowser(browser, subscriptions, endpointOf),
        ),
    },
  );
  const endpointOf = (id: string): string => `${server.url}${path}/${id}`;

  async function answer({ method, url, headers, body }: AwsRequest): Promise<Answer> {
    const id = /^\/push\/([\w.~:%=+-]+)$/.exec(url)?.[1];
    if (id === undefined) return { status: 404, message: 'There is no such subscription.' };
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const endpoint = endpointOf(id);
    const hit = faults.match({ service: 'webpush', operation: 'Push', resources: [endpoint, id] });
    const fault = hit && (await faultAnswer(hit));
    if (fault) return fault;
    if (subscriptions.isEnded(id)) return { status: 410, message: 'The subscription has ended.' };
    const push = { headers: flat(headers), body };
    const refusal = await refusalOf(push, new URL(server.url).origin, subscriptions.keyOf(id));
    if (refusal) return refusal;
    pushes.push({ at: new Date().toISOString(), platform: 'web', token: endpoint, ...push });
    const message = { id: randomUUID(), ...push, until: Date.now() + Number(push.headers['ttl']) * 1000 };
    subscriptions.push(id, message);
    return {
      status: 201,
      headers: { location: `${server.url}/messages/${message.id}`, ttl: headers['ttl'] as string },
    };
  }

  return {
    url: `${server.url}${path}`,
    pushes,
    close: async () => {
      for (const browser of sockets.clients) browser.terminate();
      sockets.close();
      await server.close();
    },
  };
}

/** Undefined where the fault only takes time. */
async function faultAnswer({ kind, delayMs }: Hit): Promise<Answer | undefined> {
  if (delayMs > 0) await sleep(delayMs);
  if (kind === 'gone') return { status: 410, message: 'The subscription is gone.' };
  if (kind === 'throttle') return { status: 429, message: 'Too many pushes.' };
  return kind === 'slow' ? undefined : { status: 503, message: 'The push service is not available.' };
}
