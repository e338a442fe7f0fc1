import { EvidenceError } from './evidence-error.ts';
import { readObject } from './jws.ts';
import type { Context, KnownContext, RequestOrigin } from './types.ts';

/** @throws {EvidenceError} `context` */
export const readContext = (text: string): Context => readObject(text, 'context') as Context;

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
  origin ? JSON.stringify([origin.browser, origin.place, origin.ip]) : undefined;
