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

/** A member of staff is the actor of an act about a user. */
const helpForUser =
  (name: string, message: string): Mapper =>
  (event, payload) => ({
    ...userChange({ id: 99, name }, 'low', message)(event, payload),
    attributes: { ...success, ...byMember(payload), user: userOf(textOf(payload, 'userId')) },
    mapped: ['userId', 'memberId'],
  });

const byMember = (payload: Payload) => ({ actor: { user: userOf(textOf(payload, 'memberId')) } });

const helpForTenant =
  (name: string, message: string): Mapper =>
  (event, payload) => {
    const change = tenantChange({ id: 99, name }, message)(event, payload);
    const attributes = { ...change.attributes, ...byMember(payload) };
    return { ...change, severity: 'low', attributes, mapped: ['memberId'] };
  };

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
  ExportTargetStateChangedEvent: tenantChange(
    { id: 99, name: 'Export State Changed' },
    'The state of an export changed',
  ),
  ExportGivenUpDismissedEvent: tenantChange(
    { id: 99, name: 'Export Given-Up Dismissed' },
    'Events that an export gave up are left missing',
  ),
  CheckpointEvent: (event, payload) => ({
    ...tenantChange({ id: 99, name: 'Log Checkpoint' }, 'The service signed the state of a log')(
      event,
      payload,
    ),
    severity: 'informational',
  }),
};

/** What members of staff do at the help desk. */
const staffMappers: Readonly<Record<string, Mapper>> = {
  StaffUserViewedEvent: helpForUser('View', 'The help desk looked at the user'),
  StaffUserSuspendedEvent: helpForUser('Suspend', 'The help desk suspended the user'),
  StaffUserResumedEvent: helpForUser('Resume', 'The help desk resumed the user'),
  StaffUserLimitsResetEvent: helpForUser('Limits Reset', 'The help desk reset the user’s push limits'),
  StaffDeviceRemovedEvent: helpForUser('Device Removed', 'The help desk removed a device of the user'),
  StaffRecoveryRequestedEvent: helpForUser('Recovery Requested', 'The help desk asked for a recovery'),
  StaffRecoveryAllowedEvent: helpForUser('Recovery Allowed', 'The help desk allowed a recovery'),
  StaffRecoveryWithdrawnEvent: helpForUser('Recovery Withdrawn', 'A recovery was withdrawn'),
  StaffCallerCheckedEvent: helpForUser('Caller Check', 'The help desk asked who is calling'),
  StaffNumberComparedEvent: helpForUser('Number Compared', 'The help desk compared the caller’s number'),
  StaffTenantViewedEvent: helpForTenant('View', 'The help desk looked at the tenant'),
  StaffExportPausedEvent: helpForTenant('Export Paused', 'The help desk paused an export'),
  StaffExportResumedEvent: helpForTenant('Export Resumed', 'The help desk resumed an export'),
  StaffExportTestedEvent: helpForTenant('Export Test', 'The help desk tested an export'),
  StaffExportReplayedEvent: helpForTenant('Export Replay', 'The help desk replayed events'),
};

const ownMappers = { ...operatorMappers, ...staffMappers };

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
    const own = producerId === ownProducer ? lookUp(ownMappers, type) : undefined;
    return (own ?? unknown)(event, payload);
  }
  const confirmation = mapConfirmation(event, payload);
  return confirmation ?? (lookUp(publicMappers, type) ?? unknown)(event, payload);
}

const lookUp = (mappers: Readonly<Record<string, Mapper>>, type: string): Mapper | undefined =>
  Object.hasOwn(mappers, type) ? mappers[type] : undefined;
