import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { OmiKeys } from '../../../evidence/src/types.ts';
import { LogError } from './log-error.ts';
import type { TreeState } from './merkle.ts';

/** A checkpoint whose signature was verified. */
export type Checkpoint = TreeState & {
  origin: string;
  /** Counts the logs of the same tenant and category: a restore of the service begins another one. */
  generation: number;
  text: string;
};

/** Where a log is from. Its name is made of them. */
export type LogTrust = {
  /** `omi-keys`: the answer of `GET /.well-known/omi-keys`. */
  keys: OmiKeys;
  baseUrl: string;
  /** Base URLs that the service had before: checkpoints of that time have their names. */
  formerBaseUrls?: readonly string[] | undefined;
  tenantId: string;
  category: string;
};

const form =
  /^(?<body>(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n)\n(?<signatures>(?:— [^ \n]+ [A-Za-z0-9+/=]+\n)+)$/u;

/**
 * Verifies the signature and the name of a checkpoint (https://c2sp.org/tlog-checkpoint).
 *
 * @throws {LogError} `malformed-checkpoint`, `other-log` or `wrong-signature`
 */
export function openCheckpoint(text: string, trust: LogTrust): Checkpoint {
  const { body = '', origin = '', size = '', root = '', signatures = '' } = form.exec(text)?.groups ?? {};
  if (body === '') throw new LogError('malformed-checkpoint', 'The text is not a checkpoint.');
  const { name = '', generation = '1' } = numbered.exec(origin)?.groups ?? {};
  if (!isOf(name, trust)) throw new LogError('other-log', `The checkpoint is of the log ${origin}.`);
  const lines = signatures.trimEnd().split('\n');
  if (!lines.some((line) => isSigned(body, line, origin, trust.keys)))
    throw new LogError('wrong-signature', 'No key of the service for logs signed the checkpoint.');
  return {
    ...{ origin, generation: Number(generation), text },
    ...{ size: Number(size), root: Buffer.from(root, 'base64') },
  };
}

/** From the second generation on, a name ends with its number. */
const numbered = /^(?<name>.+?)(?:\/(?<generation>[2-9]|[1-9]\d{1,4}))?$/u;

function isOf(name: string, { baseUrl, formerBaseUrls = [], tenantId, category }: LogTrust): boolean {
  const hosts = [baseUrl, ...formerBaseUrls].map((url) => new URL(url).host);
  const names = hosts.map((host) => `${host}/${tenantId}/${category}`.toLowerCase());
  return names.includes(name.toLowerCase());
}

const bytesOfKeyId = 4;

function isSigned(body: string, line: string, origin: string, { keys }: OmiKeys): boolean {
  const [, name, base64 = ''] = line.split(' ');
  const bytes = Buffer.from(base64, 'base64');
  const [keyId, signature] = [bytes.subarray(0, bytesOfKeyId), bytes.subarray(bytesOfKeyId)];
  if (name !== origin) return false;
  return keys.some((jwk) => {
    const key = jwk.for === 'log' ? keyOf(jwk) : undefined;
    return (
      key !== undefined && idOf(key).equals(keyId) && verify('sha256', Buffer.from(body), key, signature)
    );
  });
}

function keyOf({ kty, crv = '', x = '', y = '' }: OmiKeys['keys'][number]): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Notes name a key of ECDSA by the beginning of the SHA-256 of its SubjectPublicKeyInfo. */
const idOf = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, bytesOfKeyId);
