/** `producerId` of the events that this service makes, and its operator's commands. */
export const ownProducerId = 'omi';

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
] as const;

/** Log events of the operator's commands. */
export const ownLogTypes = [
  'UserErasedEvent',
  'UserLimitsResetEvent',
  'TenantSuspendedEvent',
  'TenantResumedEvent',
  'TenantDeletedEvent',
] as const;

/** All events of the service have one of these types, so that nobody else can record them. */
export type OwnPublicType = (typeof ownPublicTypes)[number];
export type OwnLogType = (typeof ownLogTypes)[number];
