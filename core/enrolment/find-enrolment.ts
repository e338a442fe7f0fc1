import type { DeviceStore } from '../devices/device-store.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { EnrolmentStore } from './enrolment-store.ts';
import { enrolmentIdOf, type Enrolment } from './enrolment.ts';

export type FindEnrolmentDeps = { enrolments: EnrolmentStore; devices: DeviceStore };

/**
 * The enrolment of a code, unless it has expired or a newer code ended it. The refusals say nothing about tenant and user, because
 * anybody who found a code may read them.
 *
 * @throws {Refusal} `enrolment-not-found`, `enrolment-code-expired`
 */
export async function findEnrolment(
  { enrolments, devices }: FindEnrolmentDeps,
  code: string,
  now: number,
): Promise<Enrolment> {
  const notFound = new Refusal('enrolment-not-found', 'There is no such enrolment code.');
  const enrolment = await enrolments.find(enrolmentIdOf(code), now);
  if (!enrolment) throw notFound;
  const [isSuspended, status] = await Promise.all([
    devices.isSuspended(enrolment),
    enrolments.statusOf(enrolment, now),
  ]);
  // A suspended tenant's codes do not exist. They can be used once the tenant is resumed.
  if (isSuspended) throw notFound;
  if (status !== 'expired') return enrolment;
  throw new Refusal(
    'enrolment-code-expired',
    'The enrolment code has expired, or a newer one was made for the user: ask for a new one.',
  );
}

export const codeUsed = (): Refusal =>
  new Refusal('enrolment-code-used', 'The code was used by another device.');
