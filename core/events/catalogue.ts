import { compile, type JsonSchema, type Validate } from './json-schema.ts';
import * as schemas from './payloads.ts';

/** A type and version of public event that the platform's services record. */
export type RecordableType = { type: string; version: string; payload: Validate };

function entryOf(schema: JsonSchema & { readonly $id: string }): RecordableType {
  const [type = '', version = ''] = schema.$id.split(':').slice(-2);
  return { type, version, payload: compile(schema) };
}

export const recordable: readonly RecordableType[] = Object.values(schemas).map(entryOf);

/** Types of public event that this service alone makes: consumers may take them as its own word. */
export const reservedTypes: readonly string[] = [
  'UserDeviceRegisteredEvent',
  'UserDeviceDeregisteredEvent',
  'PushNotificationSentEvent',
  'PushNotificationConfirmedEvent',
  'PushNotificationDeniedEvent',
  'PushNotificationExpiredEvent',
  'PushNotificationCancelledEvent',
  'PushNotificationFailedEvent',
];

export const isReserved = (type: unknown): boolean => reservedTypes.includes(type as string);
