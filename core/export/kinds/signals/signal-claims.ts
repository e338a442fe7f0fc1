/**
 * What a signal says: a security event token (RFC 8417) by the profile of the OpenID Shared Signals Framework 1.0, section 4,
 * with the events of the Continuous Access Evaluation Profile 1.0.
 */
import { parseJson } from '../../../kernel/json.ts';
import { seconds } from '../../../kernel/time.ts';
import { helpDeskClient, operatorInstanceId } from '../../../events/own-events.ts';
import { credentialChange, riskLevelChange } from '../../../events/signal-events.ts';
import type { SignalsDestination } from './record.ts';

/** The text of a stream's own event, which asks for nothing but that it arrives (section 8.1.4.1). */
export const verificationType = 'SignalsVerification';
const verification = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

type Source = {
  metadata: {
    eventId: string;
    occurredTime: string;
    producerInstanceId?: string;
    traceId?: string;
    type: string;
  };
  payload: { userId?: string; clientId?: string; authorizedBy?: string; state?: string };
};

/** A verification in the form of an event, so that it shares lanes with the others. */
export const verificationEvent = (eventId: string, state: string | undefined, occurredTime: string): string =>
  JSON.stringify({
    metadata: { eventId, occurredTime, type: verificationType },
    payload: { ...(state !== undefined && { state }) },
  } satisfies Source);

type Signal = { type: string; of: Record<string, unknown> };

const enrolled = (source: Source): Signal => credential('create', 'The user enrolled a device.', source);
const removed = (source: Source): Signal => credential('delete', 'A device was removed.', source);

function credential(changeType: string, reason: string, source: Source): Signal {
  return {
    type: credentialChange,
    of: {
      credential_type: 'app',
      change_type: changeType,
      initiating_entity: initiatorOf(source),
      reason_admin: { en: reason },
    },
  };
}

/** An operator's command, the help desk, the app of the user, or a website (CAEP 1.0, section 2). */
function initiatorOf({ metadata, payload: { clientId } }: Source): 'admin' | 'user' | 'system' {
  if (metadata.producerInstanceId === operatorInstanceId || clientId === helpDeskClient) return 'admin';
  return clientId === undefined ? 'user' : 'system';
}

const reported = (): Signal => ({
  type: riskLevelChange,
  of: {
    principal: 'USER',
    current_level: 'HIGH',
    risk_reason: 'CONFIRMATION_REPORTED_AS_NOT_REQUESTED',
    initiating_entity: 'user',
    reason_admin: { en: 'The user was asked to confirm what the user had not requested.' },
  },
});

const signals: Readonly<Record<string, (source: Source) => Signal>> = {
  UserDeviceRegisteredEvent: enrolled,
  UserDeviceDeregisteredEvent: removed,
  PushNotificationDeniedEvent: reported,
};

/** Seconds since 1970 (RFC 7519, section 2). */
const numericDate = (milliseconds: number): number => Math.floor(milliseconds / seconds);

export type SignalClaims = Record<string, unknown> & { jti: string };

/**
 * @param event as it was recorded
 * @param issuer the base URL
 * @throws {Error} for an event that is no signal
 */
export function signalClaims(
  event: string,
  { streamId, audience }: Pick<SignalsDestination, 'streamId' | 'audience'>,
  issuer: string,
  now: number,
): SignalClaims {
  const source = parseJson(event) as Source;
  const { metadata, payload } = source;
  const { eventId: jti, traceId: txn, type } = metadata;
  const common = {
    iss: issuer,
    jti,
    iat: numericDate(now),
    aud: audience,
    ...(txn !== undefined && { txn }),
  };
  if (type === verificationType)
    return { ...common, sub_id: { format: 'opaque', id: streamId }, events: { [verification]: payload } };
  const signal = signals[type]?.(source);
  if (!signal || payload.userId === undefined) throw new Error(`There is no signal for ${type}.`);
  const at = numericDate(Date.parse(metadata.occurredTime));
  return {
    ...common,
    sub_id: { format: 'iss_sub', iss: issuer, sub: payload.userId },
    events: { [signal.type]: { ...signal.of, event_timestamp: at } },
  };
}
