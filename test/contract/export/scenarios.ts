/** The scenarios of the interface, "Delivery targets", each as the tenants set it up. */
import { expect, test } from '@jest/globals';
import type { Category } from '../../../core/events/target-ref.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';
import type { TestStack } from '../../support/stack.ts';
import { createdEvent, logEvent, type TestEvent } from '../events/event.ts';
import { record } from '../events/recorder.ts';
import { succeeded } from '../expectations.ts';
import { eventsIn, objectsOf, recordsOf } from './consumer.ts';
import { Register } from './register.ts';
import { TenantAccount } from './targets.ts';

/** Where the stack's file says that events go. */
export function exportOf({ exports, tenants }: StackFile, tenant: 0 | 1, category: Category) {
  const { tenantId } = tenants[tenant];
  const found = exports.filter((one) => one.tenantId === tenantId && one.category === category);
  expect(found).toHaveLength(1);
  return { streamName: '', bucket: '', ...found[0] };
}

export const nameOf = ({ streamArn }: { streamArn: string }): string => streamArn.split('/')[1] ?? '';

/** `yyyy/MM/dd/HH/<category>/`, in UTC, at the time of arrival. */
export function expectFolder(key: string, category: Category, since: number): void {
  const hours = [since, Date.now()].map((time) => new Date(time).toISOString().slice(0, 13));
  const folders = hours.map((hour) => `${hour.replace(/[-T]/g, '/')}/${category}/`);
  expect(folders.some((folder) => key.startsWith(folder) && !key.slice(folder.length).includes('/'))).toBe(
    true,
  );
}

export function scenarios(stack: TestStack): void {
  const tenantId = (tenant: 0 | 1 = 0) => stack.file.tenants[tenant].tenantId;
  /** Without the service's own events: a confirmation that another file left may expire meanwhile. */
  const ids = (events: readonly { metadata: { eventId: string; producerId?: unknown } }[]) =>
    events
      .filter(({ metadata }) => metadata.producerId !== 'omi')
      .map(({ metadata }) => metadata.eventId)
      .toSorted();

  async function recorded(tenant: 0 | 1): Promise<[created: TestEvent[], logged: TestEvent[]]> {
    const created = [createdEvent(tenantId(tenant)), createdEvent(tenantId(tenant))];
    const logged = [logEvent(tenantId(tenant), { attempt: 1 })];
    const website = tenant === 0 ? stack.website : stack.neighbour;
    succeeded(await record(website, [...created, ...logged]), 202);
    return [created, logged];
  }

  test("delivers public events to a stream and log events to a bucket, like the demo bank's", async () => {
    const [created, logged] = await recorded(0);
    const { streamName } = exportOf(stack.file, 0, 'public');
    const { bucket } = exportOf(stack.file, 0, 'log');
    expect(ids(eventsIn(await recordsOf(stack.file, streamName, created)))).toEqual(ids(created));
    expect(ids(eventsIn(await objectsOf(stack.file, bucket, logged)))).toEqual(ids(logged));
  });

  test('delivers each category to its own bucket, and only the requested types', async () => {
    const [account, register] = [new TenantAccount(stack.file), new Register(stack.file)];
    const of = (category: Category) => ({ tenantId: tenantId(), category });
    const buckets = {
      public: await account.makeBucket(of('public')),
      log: await account.makeBucket(of('log')),
    };
    await register.activate(of('public'), buckets.public, ['UserBlockedEvent']);
    await register.activate(of('log'), buckets.log);
    const blocked = createdEvent(tenantId(), { type: 'UserBlockedEvent' });
    const logged = logEvent(tenantId(), { attempt: 1 });
    succeeded(await record(stack.website, [createdEvent(tenantId()), blocked, logged]), 202);
    for (const [category, event] of [
      ['public', blocked],
      ['log', logged],
    ] as const) {
      const objects = await objectsOf(stack.file, buckets[category].bucket, [event]);
      expect(ids(eventsIn(objects))).toEqual(ids([event]));
    }
  });
}
