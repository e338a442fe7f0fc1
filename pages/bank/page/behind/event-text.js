/** What the events in the tenant's stream mean, in plain words. */

/**
 * @typedef {{ metadata: { eventId: string, type: string, occurredTime: string, aggregateId?: string },
 *   payload: Record<string, unknown> }} BankEvent
 */

/** @type {Record<string, string>} */
const meanings = {
  UserDeviceRegisteredEvent: 'A phone was connected',
  UserDeviceDeregisteredEvent: 'A phone was removed',
  PushNotificationSentEvent: 'A question was sent',
  PushNotificationConfirmedEvent: 'The user confirmed',
  PushNotificationDeniedEvent: 'The user denied',
  PushNotificationExpiredEvent: 'Nobody answered in time',
  PushNotificationCancelledEvent: 'The question was withdrawn',
  PushNotificationFailedEvent: 'The answer was wrong',
};

/** @param {BankEvent} event */
export const eventMeaning = ({ metadata: { type } }) =>
  Object.hasOwn(meanings, type) ? (meanings[type] ?? type) : type;

const most = 40;

/**
 * Adds an event, newest first. The stream may deliver an event more than once.
 *
 * @param {readonly BankEvent[]} events
 * @param {BankEvent} event
 * @returns {readonly BankEvent[]}
 */
export function withEvent(events, event) {
  const isKnown = events.some(({ metadata }) => metadata.eventId === event.metadata.eventId);
  return isKnown ? events : [event, ...events].slice(0, most);
}
