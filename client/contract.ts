/** The API's responses as callers read them: the members here are required, and others are allowed. */
import * as v from 'valibot';

export const deviceSchema = v.looseObject({
  deviceId: v.string(),
  name: v.string(),
  platform: v.picklist(['fcm', 'apns', 'apns-sandbox', 'web']),
  model: v.exactOptional(v.string()),
  osVersion: v.exactOptional(v.string()),
  appVersion: v.exactOptional(v.string()),
  status: v.picklist(['active', 'unreachable']),
  enrolledAt: v.string(),
  lastSeenAt: v.exactOptional(v.string()),
  keyThumbprint: v.string(),
  receipt: v.string(),
});

const publicKeySchema = v.looseObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.string(),
  y: v.string(),
});

export const confirmationSchema = v.looseObject({
  nonce: v.string(),
  challengeId: v.string(),
  tenantId: v.string(),
  userId: v.string(),
  deviceId: v.exactOptional(v.string()),
  deviceIds: v.exactOptional(v.array(v.string())),
  messageHash: v.string(),
  detailsHash: v.exactOptional(v.string()),
  context: v.string(),
  contextHash: v.string(),
  status: v.picklist(['pending', 'confirmed', 'denied', 'expired', 'cancelled', 'failed']),
  reason: v.exactOptional(v.string()),
  delivery: v.picklist(['sent', 'failed', 'unreachable']),
  createdAt: v.string(),
  openedAt: v.exactOptional(v.string()),
  decidedAt: v.exactOptional(v.string()),
  expiresAt: v.string(),
  interval: v.number(),
  matchCode: v.exactOptional(v.string()),
  repeated: v.exactOptional(v.literal(true)),
  userVerified: v.boolean(),
  evidence: v.exactOptional(v.string()),
  deviceKey: v.exactOptional(publicKeySchema),
  receipt: v.exactOptional(v.string()),
  passkeyKey: v.exactOptional(publicKeySchema),
});

const { nonce: _nonce, ...voteEntries } = confirmationSchema.entries;

export const groupSchema = v.looseObject({
  nonce: v.string(),
  groupId: v.string(),
  status: v.picklist(['pending', 'approved', 'denied', 'expired', 'cancelled']),
  required: v.number(),
  votes: v.array(v.looseObject(voteEntries)),
  expiresAt: v.string(),
  repeated: v.exactOptional(v.literal(true)),
});

export const challengeSchema = v.looseObject({
  challengeId: v.string(),
  tenant: v.string(),
  account: v.exactOptional(v.string()),
  message: v.string(),
  messageHash: v.string(),
  details: v.exactOptional(v.string()),
  detailsHash: v.exactOptional(v.string()),
  context: v.string(),
  contextHash: v.string(),
  createdAt: v.string(),
  expiresAt: v.string(),
  expiresInMs: v.number(),
  matchNumbers: v.exactOptional(v.array(v.string())),
  votes: v.exactOptional(v.object({ confirmed: v.number(), confirmedBy: v.array(v.string()) })),
});

export const deviceListSchema = v.looseObject({ devices: v.array(deviceSchema) });
export const startedEnrolmentSchema = v.looseObject({
  enrolmentId: v.string(),
  qr: v.string(),
  expiresAt: v.string(),
});
export const enrolmentStatusSchema = v.looseObject({
  status: v.picklist(['waiting', 'completed', 'expired']),
  device: v.exactOptional(deviceSchema),
});
export const enrolledSchema = v.looseObject({
  deviceId: v.string(),
  tenantId: v.string(),
  userId: v.string(),
  tenant: v.string(),
  account: v.exactOptional(v.string()),
  receipt: v.string(),
});
export const previewSchema = v.looseObject({
  tenant: v.string(),
  account: v.exactOptional(v.string()),
  expiresAt: v.string(),
  userVerification: v.picklist(['off', 'preferred', 'required']),
});
export const challengeListSchema = v.looseObject({
  challenges: v.array(challengeSchema),
  push: v.picklist(['on', 'unreachable']),
});
export const answeredSchema = v.looseObject({ status: v.string() });

export const recordedSchema = v.looseObject({ accepted: v.number() });

/** Status 204 has no body. */
export const nothingSchema = v.undefined_();

/** A problem document of a Lambda, or the gateway's own `{ message }`. All members are optional. */
export const failureSchema = v.looseObject({
  type: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  status: v.exactOptional(v.number()),
  detail: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  traceId: v.exactOptional(v.string()),
  errors: v.exactOptional(v.array(v.looseObject({ pointer: v.string(), detail: v.string() }))),
  message: v.exactOptional(v.nullable(v.string())),
});

export type Device = v.InferOutput<typeof deviceSchema>;
export type Confirmation = v.InferOutput<typeof confirmationSchema>;
export type Challenge = v.InferOutput<typeof challengeSchema>;
export type StartedEnrolment = v.InferOutput<typeof startedEnrolmentSchema>;
export type EnrolmentStatus = v.InferOutput<typeof enrolmentStatusSchema>;
export type Enrolled = v.InferOutput<typeof enrolledSchema>;
export type Failure = v.InferOutput<typeof failureSchema>;
export type GroupQuestion = Pick<
  Notification,
  'message' | 'nonce' | 'expiresIn' | 'requestedFrom' | 'authorizationDetails'
> & { members: string[]; required: number };

export type Notification = {
  message: string;
  nonce: string;
  expiresIn?: number;
  purpose?: 'add-device' | 'remove-device';
  subjectDeviceId?: string;
  requestedFrom?: { browser?: string; place?: string; ip?: string };
  returnTo?: string;
  devices?: 'one' | 'all';
  authorizationDetails?: object[];
};
