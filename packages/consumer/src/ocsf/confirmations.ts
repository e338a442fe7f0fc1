import type { Event } from '../event.ts';
import {
  actorOf,
  deviceOf,
  failure,
  success,
  textOf,
  userOf,
  type Mapping,
  type Payload,
} from './mapping.ts';
import type { OcsfAuthFactor, OcsfEvent } from './ocsf-event.ts';

/** OCSF has no activity for a step-up within a session, so the events name their own. */
const asked = { id: 99, name: 'Step-up Requested' };
const ended = { id: 99, name: 'Step-up Completed' };

type End = Pick<Mapping, 'severity' | 'message'> & { attributes: Partial<OcsfEvent> };

const ends = new Map(
  Object.entries<(reason: string) => End>({
    PushNotificationConfirmedEvent: () => ({
      severity: 'informational',
      message: 'The user confirmed on the device',
      attributes: { ...success, status_code: 'confirmed' },
    }),
    PushNotificationDeniedEvent: (reason) => ({
      // Somebody else may use the account.
      severity: reason === 'not_me' ? 'high' : 'low',
      message:
        reason === 'not_me' ? 'The user reported that it was not them' : 'The user denied it on the device',
      attributes: { ...failure, status_code: 'denied' },
    }),
    PushNotificationExpiredEvent: () => ({
      severity: 'informational',
      message: 'The user did not answer in time',
      attributes: { ...failure, status_code: 'expired' },
    }),
    PushNotificationCancelledEvent: () => ({
      severity: 'informational',
      message: 'The confirmation was cancelled',
      attributes: { status_id: 99, status: 'Cancelled', status_code: 'cancelled' },
    }),
    PushNotificationFailedEvent: (reason) => ({
      severity: reason === 'not_reachable' ? 'informational' : 'medium',
      message:
        reason === 'not_reachable'
          ? 'A member of a group could not be asked'
          : 'Wrong answers ended the confirmation',
      attributes: { ...failure, status_code: 'failed' },
    }),
  }),
);

export function mapConfirmation({ metadata }: Event, payload: Payload): Mapping | undefined {
  const reason = textOf(payload, 'reason');
  const end = ends.get(metadata.type)?.(reason);
  if (!end && metadata.type !== 'PushNotificationSentEvent') return undefined;
  const userId = textOf(payload, 'userId');
  return {
    className: 'authentication',
    activity: end ? ended : asked,
    severity: end?.severity ?? 'informational',
    message: end?.message ?? 'The user was asked to confirm on the device',
    attributes: {
      ...actorOf(metadata, userId),
      user: userOf(userId),
      service: { name: metadata.producerId },
      is_mfa: true,
      auth_factors: factorsOf(payload),
      ...end?.attributes,
      ...(reason !== '' && { status_detail: reason }),
    },
    mapped: ['userId', 'deviceId', 'reason'],
  };
}

function factorsOf(payload: Payload): OcsfAuthFactor[] {
  const device = deviceOf(textOf(payload, 'deviceId'));
  const push = { factor_type: 'Push Notification', factor_type_id: 5, provider: 'OMI', device };
  if (payload['userVerified'] !== true) return [push];
  return [push, { factor_type: 'WebAuthn', factor_type_id: 10, device }];
}
