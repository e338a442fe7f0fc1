import { isObject, type Members } from '../jws.ts';
import type { Evident } from '../types.ts';

/** What was kept of an answer: a final confirmation, a callback with one, or an exported event with evidence. */
export type KeptRecord = Evident & {
  nonce?: string | undefined;
  /** Times and hashes, as they were kept beside the evidence. */
  kept: Members;
};

const statuses: Partial<Record<string, string>> = {
  PushNotificationConfirmedEvent: 'confirmed',
  PushNotificationDeniedEvent: 'denied',
};

/** @returns undefined for any other value */
export function recordOf(value: unknown): KeptRecord | undefined {
  if (!isObject(value)) return undefined;
  const { metadata, data } = value;
  if (isObject(metadata)) return ofEvent(metadata, value['payload']);
  return ofConfirmation(isObject(data) ? data : value);
}

function ofEvent({ type, tenantId, occurredTime }: Members, payload: unknown): KeptRecord | undefined {
  const status = typeof type === 'string' && Object.hasOwn(statuses, type) ? statuses[type] : undefined;
  if (status === undefined || !isObject(payload)) return undefined;
  return ofConfirmation({ ...payload, tenantId, status, decidedAt: occurredTime });
}

function ofConfirmation(value: Members): KeptRecord | undefined {
  const hasIds = ['status', 'tenantId', 'userId', 'deviceId'].every(
    (name) => typeof value[name] === 'string',
  );
  const hasTexts = ['nonce', 'evidence', 'context', 'receipt'].every((name) =>
    ['string', 'undefined'].includes(typeof value[name]),
  );
  const hasKeys = ['deviceKey', 'passkeyKey'].every(
    (name) => value[name] === undefined || isObject(value[name]),
  );
  return hasIds && hasTexts && hasKeys ? ({ ...value, kept: value } as KeptRecord) : undefined;
}
