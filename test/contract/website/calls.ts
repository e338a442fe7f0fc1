import { randomBytes, randomUUID } from 'node:crypto';
import { createdEvent } from '../events/event.ts';
import { notification, newNonce, newUser } from '../scenario.ts';

/** Every endpoint with an access token and the scope that it needs, for a user that does not exist. */
export const websiteCalls = (tenantId: string = randomUUID(), userId = newUser()) => [
  { method: 'GET', path: `/omi/users/${userId}/devices`, scope: 'credential:omi:devices:get' },
  {
    method: 'DELETE',
    path: `/omi/users/${userId}/devices/${randomUUID()}`,
    scope: 'credential:omi:devices:delete',
  },
  {
    method: 'POST',
    path: `/omi/push/user/${userId}/device/${randomUUID()}`,
    scope: 'credential:omi:push-notification:device:post',
    json: notification(),
  },
  {
    method: 'POST',
    path: `/omi/push/user/${userId}`,
    scope: 'credential:omi:push-notification:post',
    json: notification(),
  },
  {
    method: 'GET',
    path: `/omi/push/confirmation?nonce=${newNonce()}`,
    scope: 'credential:omi:push-notification:status:get',
  },
  {
    method: 'DELETE',
    path: `/omi/push/confirmation?nonce=${newNonce()}`,
    scope: 'credential:omi:push-notification:delete',
  },
  {
    method: 'PUT',
    path: `/omi/users/${userId}/label`,
    scope: 'credential:omi:enrol:qr:post',
    json: { accountLabel: 'Anna · …4711' },
  },
  { method: 'POST', path: '/omi/enrol/qr', scope: 'credential:omi:enrol:qr:post', json: { userId } },
  {
    method: 'GET',
    path: `/omi/enrol/status?enrolmentId=${randomBytes(32).toString('base64url')}`,
    scope: 'credential:omi:enrol:status:get',
  },
  {
    method: 'POST',
    path: '/omi/events',
    scope: 'omi:events:post',
    json: { events: [createdEvent(tenantId)] },
  },
];
