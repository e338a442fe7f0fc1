/** Callbacks of the service, as Standard Webhooks (https://www.standardwebhooks.com). */
import { fromBase64, joined, utf8 } from '../../evidence/src/bytes.ts';
import { parseJson, readAtMost } from '../../http/src/exchange.ts';
import { keyOfSecret, signatureFault } from '../../http/src/webhook-secret.ts';
import { OmiError } from './omi-error.ts';
import { invalidOptions } from './options.ts';
import { isCallback } from './reading.ts';
import type { Callback } from './types.ts';

/** A group has up to 20 votes with their evidence. */
const largestBodyBytes = 256 * 1024;
/** How old a callback may be, and how far its sender's clock may be ahead. */
const toleranceSeconds = 5 * 60;

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export type CallbackExpectation = {
  keys: readonly Uint8Array<ArrayBuffer>[];
  tenantId?: string | undefined;
  now: () => number;
};

const invalid = (detail: string): OmiError => new OmiError('invalid-callback', { detail });

/** @throws {OmiError} `invalid-options` if one is malformed */
export const keysOf = (secrets: readonly string[]): Uint8Array<ArrayBuffer>[] =>
  secrets.map((secret) => {
    const key = keyOfSecret(secret);
    if (!key) throw invalidOptions('callbackSecret is not whsec_ with base64.');
    return key;
  });

/** @throws {OmiError} `invalid-callback`, or `invalid-options` without a secret */
export async function verifyCallback(
  request: Request,
  { keys: given, tenantId, now }: CallbackExpectation,
): Promise<Callback> {
  const keys = await Promise.all(given.map(importKey));
  if (keys.length === 0) throw invalidOptions('callbackSecret is not set.');
  const body = await readAtMost(largestBodyBytes, request);
  if (!body) throw invalid('The body is too large.');
  if (!(await isSigned(request.headers, body, keys))) throw invalid(signatureFault(request));
  checkTime(request.headers, now());
  const callback = parseJson(new TextDecoder().decode(body));
  if (!isCallback(callback)) throw invalid('The body is not a callback of the service.');
  if (tenantId !== undefined && tenantsOf(callback).some((one) => one !== tenantId))
    throw invalid('The callback is of another tenant.');
  return callback;
}

const tenantsOf = ({ data }: Callback): string[] =>
  'groupId' in data ? data.votes.map((vote) => vote.tenantId) : [data.tenantId];

const importKey = async (bytes: Uint8Array<ArrayBuffer>): Promise<HmacKey> =>
  await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

async function isSigned(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  keys: readonly HmacKey[],
): Promise<boolean> {
  const start = `${String(headers.get('webhook-id'))}.${String(headers.get('webhook-timestamp'))}.`;
  const content = await joined([utf8(start), body]);
  for (const given of (headers.get('webhook-signature') ?? '').split(' ')) {
    const signature = given.startsWith('v1,') ? fromBase64(given.slice('v1,'.length)) : undefined;
    // WebCrypto compares in constant time.
    for (const key of signature ? keys : [])
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return true;
  }
  return false;
}

function checkTime(headers: Headers, now: number): void {
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const isNear = /^\d+$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isNear) throw invalid('The callback is too old, or a clock is wrong.');
}
