import * as v from 'valibot';
import { ClientError } from '../../../client/http.ts';
import type { ArrivedPush } from './local-stack.ts';

/** The parts of a push that the phone shows and gives to the app. */
export type ReadPush = { alert: string; challengeId: string; expiresAt: string };

const data = { challengeId: v.string(), expiresAt: v.string() };

const fcmMessage = v.looseObject({
  notification: v.looseObject({ body: v.string() }),
  data: v.looseObject(data),
});

/** SNS unwraps the FCM v1 message from `fcmV1Message`. */
const fcm = v.pipe(
  v.union([
    v.pipe(
      v.looseObject({ fcmV1Message: v.looseObject({ message: fcmMessage }) }),
      v.transform((payload) => payload.fcmV1Message.message),
    ),
    v.pipe(
      v.looseObject({ message: fcmMessage }),
      v.transform((payload) => payload.message),
    ),
  ]),
  v.transform((message): ReadPush => ({ alert: message.notification.body, ...message.data })),
);

const apns = v.pipe(
  v.looseObject({
    aps: v.looseObject({ alert: v.union([v.string(), v.looseObject({ body: v.string() })]) }),
    ...data,
  }),
  v.transform(({ aps: { alert }, challengeId, expiresAt }): ReadPush => {
    return { alert: typeof alert === 'string' ? alert : alert.body, challengeId, expiresAt };
  }),
);

/** Reads a push for FCM or APNs. */
export function readPush(push: ArrivedPush): ReadPush {
  const payload: unknown = typeof push.payload === 'string' ? JSON.parse(push.payload) : push.payload;
  const read = v.safeParse(v.union([fcm, apns]), payload);
  if (!read.success) throw new ClientError(`The push has an unknown format: ${JSON.stringify(payload)}`);
  const { alert, challengeId, expiresAt } = read.output;
  return { alert, challengeId, expiresAt };
}
