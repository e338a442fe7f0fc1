/** The payloads of the public events that the platform's services record: one line for each type and version. */
export { default as UserSignedInEvent1_0 } from './schemas/payloads/UserSignedInEvent-1.0.json' with { type: 'json' };
export { default as UserCreatedEvent1_0 } from './schemas/payloads/UserCreatedEvent-1.0.json' with { type: 'json' };
export { default as UserBlockedEvent1_0 } from './schemas/payloads/UserBlockedEvent-1.0.json' with { type: 'json' };
