import type { DeviceStore } from '../devices/device-store.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { EnrolmentStore } from './enrolment-store.ts';
import { enrolmentIdOf, enrolmentStatus, type Enrolment } from './enrolment.ts';

export type FindEnrolmentDeps = { enrolments: EnrolmentStore; devices: DeviceStore };

/**
 * The enrolment of a code, unless it has expired. The refusals say nothing about tenant and user, because whoever has found a
 * code may read them.
 *
 * @throws {Refusal} `enrolment-not-found`, `enrolment-code-expired`
 */
export async function findEnrolment(
  { enrolments, devices }: FindEnrolmentDeps,
  code: string,
  now: number,
): Promise<Enrolment> {
  const enrolment = await enrolments.find(enrolmentIdOf(code), now);
  // A suspended tenant's codes do not exist. They can be used once the tenant is resumed.
  if (!enrolment || (await devices.isSuspended(enrolment)))
    throw new Refusal('enrolment-not-found', 'There is no such enrolment code.');
  if (enrolmentStatus(enrolment, now) !== 'expired') return enrolment;
  throw new Refusal('enrolment-code-expired', 'The enrolment code has expired: ask for a new one.');
}

export const codeUsed = (): Refusal =>
  new Refusal('enrolment-code-used', 'The code was used by another device.');
