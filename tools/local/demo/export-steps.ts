import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Confirmation } from '../../../client/contract.ts';
import { type ExportReader, openExport } from '../client/export-reader.ts';
import type { ExportedEvent } from '../../../client/exported-events.ts';
import { bodyOf, ClientError } from '../../../client/http.ts';
import { EventValidator } from '../client/event-validator.ts';
import type { Print } from './step-reporter.ts';
import type { DemoContext } from './context.ts';
import { eventually, type Patience } from '../../../client/waiting.ts';

/** A stream has events at once; a bucket has them when Firehose writes the next object. */
const exportPatience: Patience = { everyMs: 200, atMostMs: 30_000 };

/** Opens the exports from now on, without the events of earlier runs. */
export async function openExports(
  { stack, reporter }: Pick<DemoContext, 'stack' | 'reporter'>,
  tenantId: string,
): Promise<DemoContext['exports']> {
  return await reporter.step('The tenant opens its exports', async (print) => {
    const open = async (category: 'public' | 'log'): Promise<ExportReader> => {
      const reader = await openExport(stack, { tenantId, category, from: 'now' });
      print(`${category} events: ${reader.place}`);
      return reader;
    };
    return { public: await open('public'), log: await open('log') };
  });
}

/** Log events come from other services of the platform. */
export async function recordLogEvents({ stack, services, userId, reporter }: DemoContext) {
  return await reporter.step('A service of the platform records two log events', async (print) => {
    const [{ tenantId }] = stack.tenants;
    const events = ['The payment form was opened', 'Zahlung an Café Zoë ☕ geprüft'].map((description) =>
      logEvent(tenantId, userId, description),
    );
    const { accepted } = bodyOf(await services.recordEvents(events));
    print(`${accepted} accepted`);
    return events;
  });
}

function logEvent(tenantId: string, agent: string, description: string) {
  return {
    metadata: {
      agent,
      category: 'log' as const,
      description,
      eventId: randomUUID() as string,
      metadataVersion: '1.0',
      occurredTime: new Date().toISOString(),
      producerId: 'demo',
      producerInstanceId: 'demo-1',
      tenantId,
      tags: ['ACCESS'],
      type: 'FormOpenedEvent',
    },
    payload: { attempt: 1 },
  };
}

type Decided = Record<'confirmed' | 'denied', Confirmation>;

/** The expected types of events, by aggregate and in order. */
const expectedTypes = ({ confirmed, denied }: Decided): Map<string, string[]> =>
  new Map([
    [confirmed.deviceId ?? '', ['UserDeviceRegisteredEvent']],
    [confirmed.challengeId, ['PushNotificationSentEvent', 'PushNotificationConfirmedEvent']],
    [denied.challengeId, ['PushNotificationSentEvent', 'PushNotificationDeniedEvent']],
  ]);

export async function readPublicEvents(context: DemoContext, decided: Decided): Promise<void> {
  const { exports, reporter } = context;
  await reporter.step("The public events arrive in the tenant's own AWS account", async (print) => {
    const expected = expectedTypes(decided);
    const isOurs = ({ metadata }: ExportedEvent): boolean => expected.has(metadata.aggregateId ?? '');
    const count = [...expected.values()].flat().length;
    const events = await arrived(exports.public, print, { isOurs, count });
    for (const [aggregateId, types] of expected) {
      const found = events.filter(({ metadata }) => metadata.aggregateId === aggregateId);
      const order = found.map(({ metadata }) => metadata.type);
      if (!isDeepStrictEqual(order, types))
        throw new ClientError(
          `${aggregateId} has the events ${order.join(', ')}; expected ${types.join(', ')}`,
        );
    }
  });
}

export async function readLogEvents(
  { exports, reporter }: DemoContext,
  recorded: ExportedEvent[],
): Promise<void> {
  await reporter.step('The log events arrive, too', async (print) => {
    const byId = new Map(recorded.map((event) => [event.metadata.eventId, event]));
    const isOurs = ({ metadata }: ExportedEvent): boolean => byId.has(metadata.eventId);
    for (const event of await arrived(exports.log, print, { isOurs, count: recorded.length }))
      if (!isDeepStrictEqual(event, byId.get(event.metadata.eventId)))
        throw new ClientError(`Event ${event.metadata.eventId} differs from the recorded event`);
  });
}

type Expected = { isOurs: (event: ExportedEvent) => boolean; count: number };

const byTime = ({ metadata: one }: ExportedEvent, { metadata: other }: ExportedEvent): number =>
  one.eventId < other.eventId ? -1 : 1;

/** Reads until all expected events have arrived, and validates them with the published schemas. */
async function arrived(
  reader: ExportReader,
  print: Print,
  { isOurs, count }: Expected,
): Promise<ExportedEvent[]> {
  const events: ExportedEvent[] = [];
  const read = async (): Promise<true | undefined> => {
    events.push(...(await reader.read()).filter(isOurs));
    return events.length >= count ? true : undefined;
  };
  await eventually(`All ${count} events in ${reader.place}`, read, exportPatience);
  const validator = new EventValidator();
  print(`${reader.place}:`);
  // The ids of the service begin with the time of their event; lanes deliver side by side.
  for (const event of events.toSorted(byTime)) {
    const { eventId, type } = event.metadata;
    const errors = validator.errors(event);
    if (errors.length > 0)
      throw new ClientError(`${type} ${eventId} does not match its schema: ${errors.join('; ')}`);
    print(`${eventId}  ${type}`);
  }
  return events;
}
