/** Webhooks of the service, as Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyOfSecret, signatureFault } from '../../http/src/webhook-secret.ts';
import { ConsumerError } from './consumer-error.ts';
import { eventsIn } from './decode.ts';
import type { Event } from './event.ts';

/** Above every valid body: a call has up to 256 KiB of events, and an event may be as large by itself. */
const largestBodyBytes = 1024 * 1024;
/** How old a webhook may be, and how far its sender's clock may be ahead. */
const toleranceSeconds = 5 * 60;

export type WebhookOptions = {
  /** `whsec_…`, or a list of two while it is rotated. */
  secret: string | readonly string[];
  /** Your tenant. Webhooks with events of others are refused. */
  tenantId?: string;
  /** The clock, for tests. */
  now?: () => number;
};

/** Events, or the challenge that proves that the URL is yours: answer 200 with `{ "challenge": … }`. */
export type Webhook =
  | { type: 'events'; id: string; events: Event[] }
  | { type: 'verification'; id: string; challenge: string };

const invalid = (detail: string): ConsumerError => new ConsumerError('invalid-webhook', detail);

/** @throws {ConsumerError} `invalid-webhook`, or `invalid-options` without a usable secret */
export async function verifyWebhook(
  request: Request,
  { secret, tenantId, now = Date.now }: WebhookOptions,
): Promise<Webhook> {
  const keys = keysOf(secret);
  const body = await readBody(request);
  const id = signedId(request.headers, body, keys);
  if (id === undefined) throw invalid(signatureFault(request));
  checkTime(request.headers, now());
  const value = parse(body);
  const challenge = challengeIn(value);
  if (challenge !== undefined) return { type: 'verification', id, challenge };
  const events = eventsOf(value);
  if (tenantId !== undefined && events.some(({ metadata }) => !isSame(metadata.tenantId, tenantId)))
    throw invalid('An event belongs to another tenant.');
  return { type: 'events', id, events };
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** @throws {ConsumerError} `invalid-options` if there is none, or one is malformed */
export function keysOf(secret: WebhookOptions['secret']): Uint8Array[] {
  const keys = [secret].flat().map((one) => keyOfSecret(one));
  if (keys.length === 0) throw new ConsumerError('invalid-options', 'secret is empty.');
  return keys.map((key) => {
    if (!key) throw new ConsumerError('invalid-options', 'secret is not whsec_ with base64.');
    return key;
  });
}

async function readBody({ body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > largestBodyBytes) throw invalid('The body is too large.');
  }
  return Buffer.concat(chunks);
}

/** @returns the id, which the signature covers: the same for each try of a webhook */
function signedId(headers: Headers, body: Buffer, keys: readonly Uint8Array[]): string | undefined {
  const id = headers.get('webhook-id') ?? '';
  const start = `${id}.${headers.get('webhook-timestamp') ?? ''}.`;
  const given = (headers.get('webhook-signature') ?? '')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'));
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(start).update(body).digest();
    const isValid = (one: Buffer): boolean =>
      one.length === expected.length && timingSafeEqual(one, expected);
    if (id !== '' && given.some(isValid)) return id;
  }
  return undefined;
}

function checkTime(headers: Headers, now: number): void {
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const isNear = /^\d+$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isNear) throw invalid('The webhook is too old, or a clock is wrong.');
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new ConsumerError('invalid-webhook', 'The body is not JSON.', { cause });
  }
}

function challengeIn(value: unknown): string | undefined {
  const { type, challenge } = (value ?? {}) as { type?: unknown; challenge?: unknown };
  return type === 'omi.verification' && typeof challenge === 'string' ? challenge : undefined;
}

const isBatch = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/** A CloudEvent has the event as its data. */
const dataOf = (cloudEvent: unknown): unknown => ((cloudEvent ?? {}) as { data?: unknown }).data;

function eventsOf(value: unknown): Event[] {
  try {
    return eventsIn(isBatch(value) ? { events: value.map(dataOf) } : value);
  } catch (cause) {
    throw new ConsumerError('invalid-webhook', 'The body has no events.', { cause });
  }
}
