import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { dismissGivenUp, type DismissalDeps } from '../../../../core/export/targets/dismiss-given-up.ts';
import { GivenUpEvents } from '../../../../core/export/targets/given-up-store.ts';
import { TargetStore } from '../../../../core/export/targets/target-store.ts';
import { openLosses } from '../../../../core/export/targets/target.ts';
import { testDatabase } from '../../../support/dynamodb.ts';
import { allItems } from '../../../support/stored-events.ts';

const producer = { instanceId: 'dismiss-given-up', version: '1.0.0' };
const dismissal = { who: 'client-1', reason: 'The bank has them.' };
const loss = { cause: 'errors' as const, from: 1_000, to: 61_000, events: 26 };

let client: DynamoDBDocumentClient;
let targets: TargetStore;
let losses: GivenUpEvents;
let ref: TargetRef;

beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants', events: 'events' });
  targets = new TargetStore(client, 'tenants');
  losses = new GivenUpEvents(client, 'tenants');
});
beforeEach(async () => {
  ref = { tenantId: randomUUID(), category: 'log' };
  await targets.register(ref, { kind: 'none' }, 1_000);
});

const current = async () => {
  const target = await targets.find(ref);
  if (!target) throw new Error('There is no target');
  return target;
};

const lose = async (): Promise<boolean> =>
  await losses.failed(await current(), { given: loss, count: loss.events }, loss.to);

const dismiss = async (deps: Partial<DismissalDeps> = {}) =>
  await dismissGivenUp(
    { targets, givenUp: losses, eventsTable: 'events', producer, ...deps },
    ref,
    dismissal,
    {
      now: 90_000,
      origin: { traceId: 'trace-1', hostIp: '203.0.113.7' },
    },
  );

/** What the tenant's log has of dismissals. */
async function told(): Promise<unknown[]> {
  const items = await allItems(client);
  const events = items.flatMap(({ event }) => (event === undefined ? [] : [JSON.parse(event) as unknown]));
  return events.filter((event) => JSON.stringify(event).includes(ref.tenantId));
}

describe('events that were given up', () => {
  test('are left missing, and the log says by whom, why, how many and of which times', async () => {
    await lose();
    expect(openLosses(await dismiss())).toEqual([]);
    expect(await told()).toMatchObject([
      {
        metadata: {
          type: 'ExportGivenUpDismissedEvent',
          category: 'log',
          agent: 'client-1',
          hostIp: '203.0.113.7',
          traceId: 'trace-1',
        },
        payload: {
          ...{ category: 'log', who: 'client-1', reason: 'The bank has them.', count: 26 },
          ...{ since: '1970-01-01T00:00:01.000Z', until: '1970-01-01T00:01:01.000Z' },
        },
      },
    ]);
  });

  test('are dismissed once, and where there are none, nothing is recorded', async () => {
    await dismiss();
    expect(await told()).toEqual([]);
    await lose();
    await dismiss();
    await dismiss();
    expect(await told()).toHaveLength(1);
  });

  test('that come while others are dismissed are told of, too', async () => {
    await lose();
    let isFirst = true;
    const find = async () => {
      const seen = await current();
      if (isFirst) await lose();
      isFirst = false;
      return seen;
    };
    expect(openLosses(await dismiss({ targets: { find } }))).toEqual([]);
    expect(await told()).toMatchObject([{ payload: { count: 52 } }]);
  });

  test('of an export that does not exist are not found', async () => {
    ref = { ...ref, tenantId: randomUUID() };
    await expect(dismiss()).rejects.toMatchObject({ code: 'export-not-found' });
  });
});
