import { EvidenceError } from './evidence-error.ts';
import { isObject, readObject } from './jws.ts';
import type { Context, KnownContext, RequestOrigin } from './types.ts';

const modes: unknown[] = ['off', 'preferred', 'required'];

/** The members that the device shows, and the types of theirs. A member that is named with `?` may be absent. */
const shapes: Record<string, Record<string, string>> = {
  requester: { tenant: 'string', client: 'string' },
  device: { deviceId: 'string', name: 'string' },
  requestedFrom: { browser: 'string?', place: 'string?', ip: 'string?' },
  group: { id: 'string', required: 'number', of: 'number' },
};

const hasShape = (value: unknown, shape: Record<string, string>): boolean =>
  value === undefined ||
  (isObject(value) &&
    Object.entries(shape).every(([name, type]) =>
      value[name] === undefined ? type.endsWith('?') : typeof value[name] === type.replace('?', ''),
    ));

/**
 * The context, as an app could have shown it: a member of another type could not have been read.
 *
 * @throws {EvidenceError} `context`
 */
export function readContext(text: string): Context {
  const context = readObject(text, 'context');
  const { purpose = '', userVerification } = context;
  const isShown =
    typeof purpose === 'string' &&
    modes.includes(userVerification) &&
    Object.entries(shapes).every(([name, shape]) => hasShape(context[name], shape));
  if (!isShown) throw new EvidenceError('context');
  return context as Context;
}

/** @throws {EvidenceError} if the device showed something else than what is known */
export function checkContext(
  { purpose, requestedFrom, device }: Context,
  { purpose: knownPurpose, requestedFrom: knownOrigin, subjectDeviceId }: KnownContext,
): void {
  if (knownPurpose !== undefined && purpose !== (knownPurpose ?? undefined))
    throw new EvidenceError('purpose');
  if (knownOrigin !== undefined && textOf(requestedFrom) !== textOf(knownOrigin))
    throw new EvidenceError('requestedFrom');
  if (subjectDeviceId !== undefined && device?.deviceId !== subjectDeviceId)
    throw new EvidenceError('subjectDeviceId');
}

const textOf = (origin: RequestOrigin | null | undefined): string | undefined =>
  origin ? JSON.stringify([origin.browser, origin.place, origin.ip && shownAddress(origin.ip)]) : undefined;

/** As the service shows it: 203.0.113.7 for `::ffff:203.0.113.7`, in every form that it has (RFC 4291, section 2.5.5.2). */
export function shownAddress(ip: string): string {
  const url = `http://[${ip}]`;
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  const [, ...words] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (words.length === 0) return ip;
  return words
    .map((word) => Number.parseInt(word, 16))
    .flatMap((word) => [word >> 8, word & 255])
    .join('.');
}
