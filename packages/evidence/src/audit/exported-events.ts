import { isObject, type Members } from '../jws.ts';
import type { Proof } from '../prove.ts';
import type { Evident } from '../types.ts';
import { AuditError } from './audit-fault.ts';

/** An event as it is exported. Nothing of it is trusted. */
export type ExportedEvent = { metadata: Members; payload?: unknown };

export type FoundEvents = { count: number; enrolment: boolean };

const finals: Record<Evident['status'], string> = {
  confirmed: 'PushNotificationConfirmedEvent',
  denied: 'PushNotificationDeniedEvent',
};

const isSame = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

/**
 * Compares exported events with what is proved: those of the confirmation and of the device's enrolment must say the same, and
 * the device must not have been removed before.
 *
 * @throws {AuditError}
 */
export async function checkEvents(
  events: AsyncIterable<ExportedEvent> | Iterable<ExportedEvent>,
  { claims, receipt }: Proof,
  record: Evident,
): Promise<FoundEvents> {
  const expected = expectedOf(record, claims);
  const found = { count: 0, enrolment: false };
  const removals: number[] = [];
  let answeredAt: number | undefined;
  for await (const { metadata, payload } of events) {
    found.count += 1;
    if (!isObject(payload) || !isSame(metadata['tenantId'], claims.tid)) continue;
    const type = String(metadata['type']);
    const time = Date.parse(String(metadata['occurredTime']));
    if (type.startsWith('PushNotification') && payload['challengeId'] === claims.challengeId) {
      agree(payload, expected, 'event-differs');
      if (type === finals[record.status]) answeredAt = time;
      else if (type !== 'PushNotificationSentEvent') throw new AuditError('event-differs');
    }
    if (payload['deviceId'] !== claims.iss) continue;
    if (type === 'UserDeviceRegisteredEvent') {
      const { sub: userId, jkt, client: clientId } = receipt;
      agree(payload, { userId, jkt, clientId, receipt: record.receipt }, 'enrolment-differs');
      found.enrolment = true;
    }
    if (type === 'UserDeviceDeregisteredEvent') removals.push(time);
  }
  const answer = answeredAt;
  if (answer === undefined) throw new AuditError('event-missing');
  if (!(Math.abs(answer - claims.iat * 1000) <= clocksMs)) throw new AuditError('event-differs');
  // Both times are the service's. One that is no time counts as before.
  if (removals.some((removedAt) => !(removedAt > answer))) throw new AuditError('removed-before');
  return found;
}

/** How far the device's clock may differ from the service's, which refuses answers beyond. */
export const clocksMs = 5 * 60_000;

function expectedOf({ evidence, context, receipt, deviceKey, passkeyKey }: Evident, claims: Proof['claims']) {
  const { iss, sub, challengeId, messageHash, detailsHash, userVerification } = claims;
  return {
    ...{ deviceId: iss, userId: sub, challengeId, messageHash, detailsHash },
    userVerified: userVerification !== undefined,
    ...(claims.decision === 'deny' && { reason: claims['reason'] ?? 'user_declined' }),
    ...{ evidence, context, receipt, deviceKey, passkeyKey },
  };
}

/** Members that an older version of the payload does not have are not compared. */
function agree(payload: Members, expected: Members, code: 'event-differs' | 'enrolment-differs'): void {
  for (const [name, value] of Object.entries(expected))
    if (payload[name] !== undefined && JSON.stringify(payload[name]) !== JSON.stringify(value))
      throw new AuditError(code);
}
