import { randomUUID } from 'node:crypto';
import { bodyOf } from '../../../client/http.ts';
import { rfc3339, seconds } from '../../../core/kernel/time.ts';
import { CommandError } from '../../command-error.ts';
import { hasId } from '../arrivals.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import type { Export } from './destination.ts';
import type { Website } from './website.ts';

/** More steps than Lambda allows by default in a chain of calls (about 16). */
export const replayedSteps = 20;

export const eventsAreRecorded: StepDefinition = {
  name: 'events',
  title: 'A service of the platform records events',
  limitSeconds: 120,
  hint: 'See the log of the Lambda record-events.',
};

export const eventsArrive: StepDefinition = {
  name: 'export',
  title: 'The recorded events arrive in the stream',
  limitSeconds: 180,
  hint: 'See the log of the Lambda export-events. "omi doctor" checks its event source.',
};

export const eventType = 'UserSignedInEvent';

/** The recorded events, and the range of their times by the clock of this machine. */
export type Recorded = { eventIds: string[]; from: number; to: number };

/** The clocks of this machine and of AWS may differ. */
const skewMs = 30 * seconds;

/** Each event in its own call: a replay sends together what was accepted together. */
export async function recordEvents(
  { tenantId, userId }: Scene,
  { client }: Website,
  { signal, say }: StepRun,
): Promise<Recorded> {
  const eventIds: string[] = [];
  const from = Date.now() - skewMs;
  while (eventIds.length <= replayedSteps) {
    signal.throwIfAborted();
    const event = signIn(tenantId, userId);
    const { accepted } = bodyOf(await client.recordEvents([event]));
    if (accepted !== 1) throw new CommandError(`${accepted} of 1 events were accepted`);
    eventIds.push(event.metadata.eventId);
  }
  say(`${eventIds.length} events`);
  return { eventIds, from, to: Date.now() + skewMs };
}

const signIn = (tenantId: string, userId: string) => ({
  metadata: {
    aggregateId: userId,
    category: 'public',
    eventId: randomUUID() as string,
    metadataVersion: '1.0',
    occurredTime: rfc3339(Date.now()),
    payloadVersion: '1.0',
    producerId: 'omi-smoke',
    producerInstanceId: 'omi-cli',
    tenantId,
    type: eventType,
  },
  payload: { userId, identityProviderId: 'omi-smoke', destination: 'https://example.com/' },
});

export async function awaitEvents(
  { eventIds }: Recorded,
  { arrivals }: Export,
  { signal, say }: StepRun,
): Promise<true> {
  await arrivals.all('All recorded events', eventIds.map(hasId), { signal });
  say(`${eventIds.length} events`);
  return true;
}
