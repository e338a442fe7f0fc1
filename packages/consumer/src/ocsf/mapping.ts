import type { Event } from '../event.ts';
import type { severities, Activity, ClassName } from './classes.ts';
import type { OcsfDevice, OcsfEvent, OcsfUser } from './ocsf-event.ts';

export type Payload = Record<string, unknown>;

/** How an event of a type becomes an event of a class. */
export type Mapping = {
  className: ClassName;
  activity: Activity;
  severity: keyof typeof severities;
  message: string;
  /** Attributes that the class has besides those of every event. */
  attributes: Partial<OcsfEvent>;
  /** Members of the payload that these attributes hold. The others are kept in `unmapped`. */
  mapped: readonly string[];
};

export const textOf = (payload: Payload, member: string): string => {
  const value = payload[member];
  return typeof value === 'string' ? value : '';
};

export const userOf = (uid: string): OcsfUser => ({ uid, type: 'User', type_id: 1 });

const mobile = { type: 'Mobile', type_id: 5 };
const deviceTypes = new Map([
  ['fcm', mobile],
  ['apns', mobile],
  ['apns-sandbox', mobile],
  ['web', { type: 'Browser', type_id: 8 }],
]);

export const deviceOf = (uid: string, platform = ''): OcsfDevice => ({
  uid,
  ...(deviceTypes.get(platform) ?? { type: 'Unknown', type_id: 0 }),
});

export const success = { status_id: 1, status: 'Success' };
export const failure = { status_id: 2, status: 'Failure' };

/** The user of an event about a user, or else whatever the producer named. */
export function actorOf({ agent }: Event['metadata'], userId: string): Pick<OcsfEvent, 'actor'> {
  if (agent !== undefined && agent !== userId) return { actor: { app_uid: agent } };
  return { actor: { user: userOf(userId) } };
}
