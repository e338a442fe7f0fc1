import type { Event } from './event.ts';
import { ownLogTypes, testProducerId } from './own-events.ts';
import samples from './schemas/samples.json' with { type: 'json' };
import type { Category } from './target-ref.ts';
import { testAgent } from '../kernel/test-users.ts';
import { rfc3339 } from '../kernel/time.ts';

type Payload = Readonly<Record<string, unknown>>;

const payloads: Readonly<Record<string, { version: string; payload: Payload }>> = samples;

/** Readers take the log's state from it. A test must not claim one. */
const withoutSample = 'CheckpointEvent';

const logType = /^[A-Z][A-Za-z0-9]{0,122}Event$/;

/** The events of an export: its category, and the types to which it is limited. */
type Wanted = { category: Category; types?: readonly string[] | undefined };

/** The types of events that a sample is shown of. */
export function sampleTypes({ category, types }: Wanted): string[] {
  const known: readonly string[] = category === 'public' ? Object.keys(payloads) : (types ?? ownLogTypes);
  return known.filter((type) => hasSample({ category, types }, type));
}

/** A log event may have any type, so there is a sample of each. */
export const hasSample = ({ category, types }: Wanted, type: string): boolean =>
  (types?.includes(type) ?? true) &&
  (category === 'public' ? Object.hasOwn(payloads, type) : logType.test(type) && type !== withoutSample);

export type SampleOf = { tenantId: string; category: Category; type: string; eventId: string };

/** An event as targets get it, with the payload of its schema's example. Its metadata say that it is a test. */
export function sampleEvent({ tenantId, category, type, eventId }: SampleOf, now: number): Event {
  const metadata = {
    agent: testAgent,
    eventId,
    metadataVersion: '1.0' as const,
    occurredTime: rfc3339(now),
    producerId: testProducerId,
    producerInstanceId: testProducerId,
    tenantId,
    type,
  };
  if (category === 'log')
    return { metadata: { ...metadata, category, description: 'A test asked for this event' } };
  const { version: payloadVersion = '', payload = {} } = payloads[type] ?? {};
  const aggregateId = aggregateOf(type, payload) ?? eventId;
  return { metadata: { ...metadata, aggregateId, category, payloadVersion }, payload };
}

/** What the event is about, as the service has it: a confirmation, a group, a device, or a user. */
function aggregateOf(type: string, payload: Payload): string | undefined {
  const names = type.startsWith('PushNotification') ? ['challengeId'] : ['groupId', 'deviceId', 'userId'];
  return names.map((name) => payload[name]).find((id) => typeof id === 'string');
}
