/** `producerId` of the events that this service makes, and its operator's commands. */
export const ownProducerId = 'omi';

/** `producerId` of events that a tenant has sent to its target as a test. */
export const testProducerId = 'omi-test';

/** `producerInstanceId` of events that the operator's commands record. */
export const operatorInstanceId = 'omi-cli';

/** `clientId` of what the help desk does. No issuer has such a client. */
export const helpDeskClient = 'omi-help-desk';

/** Public events of the service. */
export const ownPublicTypes = [
  'UserDeviceRegisteredEvent',
  'UserDeviceDeregisteredEvent',
  'PushNotificationSentEvent',
  'PushNotificationConfirmedEvent',
  'PushNotificationDeniedEvent',
  'PushNotificationExpiredEvent',
  'PushNotificationCancelledEvent',
  'PushNotificationFailedEvent',
  'ConfirmationGroupRequestedEvent',
  'ConfirmationGroupApprovedEvent',
  'ConfirmationGroupDeniedEvent',
  'ConfirmationGroupExpiredEvent',
  'ConfirmationGroupCancelledEvent',
] as const;

/** Log events of acts of the help desk. */
export const staffLogTypes = [
  'StaffUserViewedEvent',
  'StaffUserSuspendedEvent',
  'StaffUserResumedEvent',
  'StaffUserLimitsResetEvent',
  'StaffDeviceRemovedEvent',
  'StaffRecoveryRequestedEvent',
  'StaffRecoveryAllowedEvent',
  'StaffRecoveryWithdrawnEvent',
  'StaffCallerCheckedEvent',
  'StaffNumberComparedEvent',
  'StaffTenantViewedEvent',
  'StaffExportPausedEvent',
  'StaffExportResumedEvent',
  'StaffExportTestedEvent',
  'StaffExportReplayedEvent',
] as const;

/** Log events of the operator's commands, of the service, and of the help desk. */
export const ownLogTypes = [
  'UserErasedEvent',
  'UserLimitsResetEvent',
  'TenantSuspendedEvent',
  'TenantResumedEvent',
  'TenantDeletedEvent',
  'ExportTargetStateChangedEvent',
  'ExportGivenUpDismissedEvent',
  'CheckpointEvent',
  ...staffLogTypes,
] as const;

/** All events of the service have one of these types, so that nobody else can record them. */
export type OwnPublicType = (typeof ownPublicTypes)[number];
export type StaffLogType = (typeof staffLogTypes)[number];
export type OwnLogType = (typeof ownLogTypes)[number];
