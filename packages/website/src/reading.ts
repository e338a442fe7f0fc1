/** Reads answers, so that a hostile or broken one never goes further than here. */
import type { HttpAnswer } from '../../http/src/exchange.ts';
import { OmiError } from './omi-error.ts';
import type {
  Callback,
  Confirmation,
  ConfirmationCallback,
  Device,
  EnrolmentStatus,
  Group,
  GroupCallback,
  RequestFault,
  StartedEnrolment,
} from './types.ts';

/** What is wrong with a value, as the end of a sentence that begins with its name, such as " is not a string"; undefined if it is valid. */
type Check = (value: unknown) => string | undefined;
/** One check for each member of the type, so that none is forgotten when the OpenAPI document changes. */
type Shape<T> = { [Name in keyof T]-?: Check };

const unless = (isValid: boolean, fault: string): string | undefined => (isValid ? undefined : fault);

const text: Check = (value) => unless(typeof value === 'string', ' is not a string');
const number: Check = (value) => unless(Number.isFinite(value), ' is not a number');
const boolean: Check = (value) => unless(typeof value === 'boolean', ' is not true or false');
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    unless(values.includes(value as string), ` is not one of ${values.join(', ')}`);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first fault of what the checks are called with. */
function firstFault(parts: Iterable<readonly [name: string, value: unknown, Check]>): string | undefined {
  for (const [name, value, check] of parts) {
    const fault = check(value);
    if (fault !== undefined) return `${name}${fault}`;
  }
  return undefined;
}

const shaped =
  <T>(shape: Shape<T>): Check =>
  (value) =>
    isObject(value)
      ? firstFault(
          Object.entries<Check>(shape).map(([name, check]) => [`.${name}`, value[name], check] as const),
        )
      : ' is not an object';

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value)
      ? firstFault(value.map((one, index) => [`[${index}]`, one, check] as const))
      : ' is not an array';

/** Takes a successful answer's body as a value of the type. */
export type Reader<T> = (answer: Pick<HttpAnswer, 'status' | 'body'>) => T;

/** @throws {OmiError} `unexpected-answer`, with the name of the member that is not as expected */
const reader =
  <T>(check: Check): Reader<T> =>
  ({ status, body }) => {
    const fault = check(body);
    if (fault === undefined) return body as T;
    const detail = `The answer is not in the format of the service: ${fault.startsWith('.') ? fault.slice(1) : `it${fault}`}.`;
    throw new OmiError('unexpected-answer', { status, detail });
  };

const texts = listOf(text);

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
  deviceId: optional(text),
  deviceIds: optional(texts),
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

export const readConfirmation = reader<Confirmation>(
  shaped<Confirmation>({
    ...sharedMembers,
    nonce: text,
    matchCode: optional(text),
    repeated: optional(boolean),
  }),
);

const groupMembers = {
  groupId: text,
  status: oneOf('pending', 'approved', 'denied', 'expired', 'cancelled'),
  required: number,
  votes: listOf(shaped<Group['votes'][number]>(sharedMembers)),
  createdAt: text,
  decidedAt: optional(text),
  expiresAt: text,
};

export const readGroup = reader<Group>(
  shaped<Group>({ ...groupMembers, nonce: text, repeated: optional(boolean) }),
);

const callbackData = {
  confirmation: shaped<ConfirmationCallback['data']>(sharedMembers),
  group: shaped<GroupCallback['data']>(groupMembers),
};

export const readStartedEnrolment = reader<StartedEnrolment>(
  shaped<StartedEnrolment>({ enrolmentId: text, qr: text, expiresAt: text }),
);

const openEnrolment = shaped<{ status: string }>({ status: oneOf('waiting', 'expired', 'completed') });
const completedEnrolment = shaped<{ device: Device }>({ device });

export const readEnrolmentStatus = reader<EnrolmentStatus>(
  (value) =>
    openEnrolment(value) ??
    (isObject(value) && value['status'] === 'completed' ? completedEnrolment(value) : undefined),
);

export const readDevices = reader<{ devices: Device[] }>(
  shaped<{ devices: Device[] }>({ devices: listOf(device) }),
);

/** For calls whose answer has no content. */
export const readNothing = reader<undefined>((body) => unless(body === undefined, ' has content'));

export function isCallback(body: unknown): body is Callback {
  if (!isObject(body) || !isObject(body['data'])) return false;
  const { type, timestamp, data } = body;
  const subject = String(type).startsWith('group.') ? 'group' : 'confirmation';
  const isFinal = data['status'] !== 'pending' && type === `${subject}.${String(data['status'])}`;
  return isFinal && [text(timestamp), callbackData[subject](data)].every((fault) => fault === undefined);
}

const faultShape = shaped<RequestFault>({ pointer: text, detail: text });

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
    ...(Array.isArray(errors) && {
      errors: errors.filter((error): error is RequestFault => faultShape(error) === undefined),
    }),
  };
}
