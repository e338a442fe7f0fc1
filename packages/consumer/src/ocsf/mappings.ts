import type { Event } from '../event.ts';
import { mapConfirmation } from './confirmations.ts';
import { actorOf, deviceOf, success, textOf, userOf, type Mapping, type Payload } from './mapping.ts';

type Mapper = (event: Event, payload: Payload) => Mapping;

const signIn: Mapper = ({ metadata }, payload) => {
  const userId = textOf(payload, 'userId');
  const uid = textOf(payload, 'identityProviderId');
  return {
    className: 'authentication',
    activity: { id: 1, name: 'Logon' },
    severity: 'informational',
    message: 'The user signed in',
    attributes: {
      ...success,
      actor: { ...actorOf(metadata, userId).actor, idp: { uid } },
      user: userOf(userId),
      service: { name: textOf(payload, 'destination') },
    },
    mapped: ['userId', 'identityProviderId', 'destination'],
  };
};

const userChange =
  (activity: Mapping['activity'], severity: Mapping['severity'], message: string): Mapper =>
  (_, payload) => ({
    className: 'userManagement',
    activity,
    severity,
    message: textOf(payload, 'reason') === '' ? message : `${message}: ${textOf(payload, 'reason')}`,
    attributes: { ...success, user: userOf(textOf(payload, 'userId')) },
    mapped: ['userId'],
  });

const deviceChange =
  (activity: Mapping['activity'], message: string): Mapper =>
  ({ metadata }, payload) => {
    const deviceId = textOf(payload, 'deviceId');
    const device = deviceOf(deviceId, textOf(payload, 'platform'));
    return {
      className: 'entityManagement',
      activity,
      severity: 'informational',
      message,
      attributes: {
        ...success,
        ...actorOf(metadata, textOf(payload, 'userId')),
        entity: { uid: deviceId, type: 'Device', type_id: 1, device },
      },
      mapped: ['deviceId'],
    };
  };

const tenantChange =
  (activity: Mapping['activity'], message: string): Mapper =>
  ({ metadata }) => ({
    className: 'entityManagement',
    activity,
    severity: 'medium',
    message,
    attributes: {
      ...success,
      actor: { app_uid: metadata.agent ?? metadata.producerId },
      entity: { uid: metadata.tenantId, type: 'Organization', type_id: 4 },
    },
    mapped: ['tenantId'],
  });

const publicMappers: Readonly<Record<string, Mapper>> = {
  UserSignedInEvent: signIn,
  UserCreatedEvent: userChange({ id: 1, name: 'Create' }, 'informational', 'The user was created'),
  UserBlockedEvent: userChange({ id: 6, name: 'Lock' }, 'low', 'The user was blocked'),
  UserDeviceRegisteredEvent: deviceChange({ id: 6, name: 'Enroll' }, 'The user enrolled a device'),
  UserDeviceDeregisteredEvent: deviceChange({ id: 7, name: 'Unenroll' }, 'The device was removed'),
};

/** What the operator of the service does. */
const operatorMappers: Readonly<Record<string, Mapper>> = {
  UserErasedEvent: userChange({ id: 3, name: 'Delete' }, 'low', 'An operator erased the user’s data'),
  UserLimitsResetEvent: userChange(
    { id: 99, name: 'Limits Reset' },
    'low',
    'An operator reset the user’s push limits',
  ),
  TenantSuspendedEvent: tenantChange({ id: 12, name: 'Suspend' }, 'An operator suspended the tenant'),
  TenantResumedEvent: tenantChange({ id: 13, name: 'Resume' }, 'An operator resumed the tenant'),
  TenantDeletedEvent: tenantChange({ id: 4, name: 'Delete' }, 'An operator deleted the tenant'),
};

/** Everything else: log entries, and types or major versions that this package does not know. */
const unknown: Mapper = ({ metadata: { type, description } }) => ({
  className: 'base',
  activity: { id: 99, name: type },
  severity: 'informational',
  message: description ?? type,
  attributes: {},
  mapped: [],
});

const isMember = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The producer of the service's own log events: nobody else may use it. */
const ownProducer = 'omi';

export function mappingOf(event: Event): Mapping {
  const { category, type, producerId, metadataVersion, payloadVersion } = event.metadata;
  const payload = event.payload;
  const isKnownVersion = metadataVersion.startsWith('1.') && (payloadVersion ?? '1.').startsWith('1.');
  if (!isKnownVersion || !isMember(payload)) return unknown(event, {});
  if (category === 'log') {
    const own = producerId === ownProducer ? lookUp(operatorMappers, type) : undefined;
    return (own ?? unknown)(event, payload);
  }
  const confirmation = mapConfirmation(event, payload);
  return confirmation ?? (lookUp(publicMappers, type) ?? unknown)(event, payload);
}

const lookUp = (mappers: Readonly<Record<string, Mapper>>, type: string): Mapper | undefined =>
  Object.hasOwn(mappers, type) ? mappers[type] : undefined;
