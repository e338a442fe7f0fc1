/** Reads answers, so that a hostile or broken one never goes further than here. */
import type {
  Callback,
  Confirmation,
  Device,
  EnrolmentStatus,
  RequestFault,
  StartedEnrolment,
} from './types.ts';

type Check = (value: unknown) => boolean;
/** One check for each member of the type, so that none is forgotten when the OpenAPI document changes. */
type Shape<T> = { [Name in keyof T]-?: Check };

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => Number.isFinite(value);
const boolean: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const shaped =
  <T>(shape: Shape<T>) =>
  (value: unknown): value is T =>
    isObject(value) && Object.entries<Check>(shape).every(([name, check]) => check(value[name]));

const publicKey = shaped({ kty: text, crv: text, x: text, y: text });

const device = shaped<Device>({
  deviceId: text,
  name: text,
  platform: text,
  model: optional(text),
  osVersion: optional(text),
  appVersion: optional(text),
  status: text,
  enrolledAt: text,
  lastSeenAt: optional(text),
  keyThumbprint: text,
  receipt: text,
});

const sharedMembers = {
  challengeId: text,
  tenantId: text,
  userId: text,
  deviceId: text,
  messageHash: text,
  detailsHash: optional(text),
  context: text,
  contextHash: text,
  status: oneOf('pending', 'confirmed', 'denied', 'expired', 'cancelled', 'failed'),
  reason: optional(text),
  delivery: text,
  createdAt: text,
  openedAt: optional(text),
  decidedAt: optional(text),
  expiresAt: text,
  interval: number,
  userVerified: optional(boolean),
  evidence: optional(text),
  deviceKey: optional(publicKey),
  receipt: optional(text),
  passkeyKey: optional(publicKey),
};

export const isConfirmation = shaped<Confirmation>({
  ...sharedMembers,
  nonce: text,
  matchCode: optional(text),
  repeated: optional(boolean),
});

const callbackData = shaped<Callback['data']>(sharedMembers);

export const isStartedEnrolment = shaped<StartedEnrolment>({ enrolmentId: text, qr: text, expiresAt: text });

export const isEnrolmentStatus = (value: unknown): value is EnrolmentStatus =>
  isObject(value) &&
  (oneOf('waiting', 'expired')(value['status']) ||
    (value['status'] === 'completed' && device(value['device'])));

export const isDeviceList = (value: unknown): value is { devices: Device[] } =>
  isObject(value) && Array.isArray(value['devices']) && value['devices'].every(device);

/** For calls whose answer has no content. */
export const isNothing = (body: unknown): body is undefined => body === undefined;

export function isCallback(body: unknown): body is Callback {
  if (!isObject(body) || !isObject(body['data'])) return false;
  const { type, timestamp, data } = body;
  const isFinal = data['status'] !== 'pending' && type === `confirmation.${String(data['status'])}`;
  return isFinal && text(timestamp) && callbackData(data);
}

const isFault = shaped<RequestFault>({ pointer: text, detail: text });

/** The valid members of a problem document (RFC 9457), or of the gateway's `{ message }`. */
export type Problem = { code?: string; detail?: string; traceId?: string; errors?: RequestFault[] };

export function readProblem(body: unknown): Problem {
  if (!isObject(body)) return {};
  const { code, traceId, errors } = body;
  const detail = body['detail'] ?? body['message'];
  return {
    ...(typeof code === 'string' && /^[a-z][a-z_-]{0,63}$/.test(code) && { code }),
    ...(typeof detail === 'string' && { detail: detail.slice(0, 500) }),
    ...(typeof traceId === 'string' && { traceId: traceId.slice(0, 100) }),
    ...(Array.isArray(errors) && { errors: errors.filter(isFault) }),
  };
}
