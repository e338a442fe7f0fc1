/** Every call of the API for websites: method, path, scope, and the form of its answer. */
import { OmiError } from './omi-error.ts';
import {
  readConfirmation,
  readDevices,
  readEnrolmentStatus,
  readGroup,
  readNothing,
  type Reader,
  readStartedEnrolment,
} from './reading.ts';
import { sentOrigin } from './sent-origin.ts';
import type {
  Confirmation,
  Device,
  EnrolmentStatus,
  EnrolRequest,
  Group,
  GroupRequest,
  SendRequest,
  StartedEnrolment,
} from './types.ts';

export type Operation<T> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** All that its token needs. */
  scopes: readonly string[];
  body?: object;
  read: Reader<T>;
  /** Whether the call may be sent again if its answer was lost. */
  repeatable: boolean;
  /** The code that a repetition gets if the call before it did arrive. */
  done?: string;
};

/** Lets a help desk add and remove devices without a confirmation. */
const recoveryScope = 'credential:omi:recovery';

/** The call of a client that helps users who have lost their devices. */
export const forRecovery = <T>(operation: Operation<T>): Operation<T> => ({
  ...operation,
  scopes: [...operation.scopes, recoveryScope],
});

const query = encodeURIComponent;

/** An id as one segment of a path. URLs resolve `..`, so a strange id could name another endpoint. */
function segment(name: string, id: string): string {
  if (/^[\w.~@:+-]{1,128}$/.test(id) && id !== '.' && id !== '..') return encodeURIComponent(id);
  const detail = 'Expected 1 to 128 of A-Z a-z 0-9 . _ ~ @ : + -';
  throw new OmiError('invalid-request', { detail, errors: [{ pointer: `#/path/${name}`, detail }] });
}

const user = (userId: string): string => segment('userId', userId);
const device = (deviceId: string): string => segment('deviceId', deviceId);

export function sendOperation({
  userId,
  deviceId,
  devices,
  details,
  message,
  nonce,
  expiresIn,
  purpose,
  subjectDeviceId,
  requestedFrom,
  returnTo,
}: SendRequest): Operation<Confirmation> {
  const toUser = `/omi/push/user/${user(userId)}`;
  return {
    method: 'POST',
    ...(deviceId === undefined
      ? { path: toUser, scopes: ['credential:omi:push-notification:post'] }
      : {
          path: `${toUser}/device/${device(deviceId)}`,
          scopes: ['credential:omi:push-notification:device:post'],
        }),
    body: {
      ...{ message, nonce, expiresIn, purpose, subjectDeviceId, returnTo, devices },
      requestedFrom: sentOrigin(requestedFrom),
      authorizationDetails: details,
    },
    read: readConfirmation,
    repeatable: true,
  };
}

export const pollOperation = (nonce: string): Operation<Confirmation> => ({
  method: 'GET',
  path: `/omi/push/confirmation?nonce=${query(nonce)}`,
  scopes: ['credential:omi:push-notification:status:get'],
  read: readConfirmation,
  repeatable: true,
});

export const withdrawOperation = (nonce: string): Operation<undefined> => ({
  method: 'DELETE',
  path: `/omi/push/confirmation?nonce=${query(nonce)}`,
  scopes: ['credential:omi:push-notification:delete'],
  read: readNothing,
  repeatable: true,
});

export const withdrawAllOperation = (userId: string): Operation<undefined> => ({
  method: 'DELETE',
  path: `/omi/push/confirmation?userId=${query(userId)}`,
  scopes: ['credential:omi:push-notification:delete'],
  read: readNothing,
  repeatable: true,
});

const groupScopes = ['credential:omi:groups'];

export const requestGroupOperation = ({
  members,
  required,
  details,
  message,
  nonce,
  expiresIn,
  requestedFrom,
}: GroupRequest): Operation<Group> => ({
  method: 'POST',
  path: '/omi/groups',
  scopes: groupScopes,
  body: {
    ...{ members, required, message, nonce, expiresIn },
    requestedFrom: sentOrigin(requestedFrom),
    authorizationDetails: details,
  },
  read: readGroup,
  repeatable: true,
});

export const groupOperation = (nonce: string): Operation<Group> => ({
  method: 'GET',
  path: `/omi/groups?nonce=${query(nonce)}`,
  scopes: groupScopes,
  read: readGroup,
  repeatable: true,
});

export const withdrawGroupOperation = (nonce: string): Operation<undefined> => ({
  method: 'DELETE',
  path: `/omi/groups?nonce=${query(nonce)}`,
  scopes: groupScopes,
  read: readNothing,
  repeatable: true,
});

export const devicesOperation = (userId: string): Operation<{ devices: Device[] }> => ({
  method: 'GET',
  path: `/omi/users/${user(userId)}/devices`,
  scopes: ['credential:omi:devices:get'],
  read: readDevices,
  repeatable: true,
});

export const removeDeviceOperation = (
  userId: string,
  deviceId: string,
  confirmation: string | undefined,
): Operation<undefined> => ({
  method: 'DELETE',
  path:
    `/omi/users/${user(userId)}/devices/${device(deviceId)}` +
    (confirmation === undefined ? '' : `?confirmation=${query(confirmation)}`),
  scopes: ['credential:omi:devices:delete'],
  read: readNothing,
  repeatable: true,
  done: 'device-not-found',
});

export const enrolOperation = ({
  userId,
  accountLabel,
  confirmation,
}: EnrolRequest): Operation<StartedEnrolment> => ({
  method: 'POST',
  path: '/omi/enrol/qr',
  scopes: ['credential:omi:enrol:qr:post'],
  body: { userId, accountLabel, confirmation },
  read: readStartedEnrolment,
  // A confirmation is used up by the call, so a repetition would be refused.
  repeatable: confirmation === undefined,
});

export const labelOperation = (userId: string, accountLabel: string | null): Operation<undefined> => ({
  method: 'PUT',
  path: `/omi/users/${user(userId)}/label`,
  scopes: ['credential:omi:enrol:qr:post'],
  body: { accountLabel },
  read: readNothing,
  repeatable: true,
});

export const enrolmentOperation = (enrolmentId: string): Operation<EnrolmentStatus> => ({
  method: 'GET',
  path: `/omi/enrol/status?enrolmentId=${query(enrolmentId)}`,
  scopes: ['credential:omi:enrol:status:get'],
  read: readEnrolmentStatus,
  repeatable: true,
});
