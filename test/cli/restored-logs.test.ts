/** What a restore does with the logs of the restored tables. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { endLogs } from '../../cli/restore/end-logs.ts';
import { markMinutes } from '../../cli/restore/mark-minutes.ts';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { ProfileStore } from '../../cli/tenants/profile-store.ts';
import { EventStore } from '../../core/events/event-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { servedCheckpoint } from '../../core/export/log/served-checkpoint.ts';
import { hours, minutes, seconds } from '../../core/kernel/time.ts';
import { createTable, testDatabase } from '../support/dynamodb.ts';
import { baseUrl, LogWorld } from '../support/log-world.ts';

const start = Math.floor(Date.now() / hours) * hours - 2 * hours;
const over = minutes + 20 * seconds;

let world: LogWorld;
let client: DynamoDBDocumentClient;
beforeEach(async () => {
  client = await testDatabase({ events: 'events', log: 'log', tenants: 'tenants' });
  await createTable(client, 'log', 'replaced');
  world = await LogWorld.start(undefined, client);
  await new ProfileStore(client, 'tenants').create({
    tenantId: world.tenantId,
    name: 'Bank',
    settings: {} as never,
  });
});

const tables = { events: 'events', log: 'log', tenants: 'tenants' } as Deployment['tables'];
const clients = () => ({ dynamodb: client }) as unknown as Deployment['clients'];

async function origin(): Promise<string> {
  const deps = { logs: world.logs, key: world.signing.key, baseUrl };
  const { signed } = await servedCheckpoint(deps, world.ref());
  return signed.text.split('\n')[0] ?? '';
}

describe('the logs of a restored table', () => {
  test('go on under another name, those without events as well', async () => {
    await world.accept([world.event()], start);
    await world.close(start + over);
    expect(await endLogs(clients(), tables, 'replaced')).toBe(2);
    expect(await origin()).toBe(`api.omi.example/${world.tenantId}/public/2`);
    expect(await world.logs.head(world.ref('log'))).toMatchObject({ next: 2, tree: { size: 0 } });
  });

  test('are ended once, however often the command is run before they are used', async () => {
    for (const replaced of ['replaced', 'replaced', undefined]) await endLogs(clients(), tables, replaced);
    expect(await origin()).toMatch(/\/public\/2$/);
  });

  test('never get a name that the replaced table had', async () => {
    const replaced = new LogStore(client, 'replaced');
    const deps = { logs: replaced, key: world.signing.key, baseUrl };
    for (const next of [2, 3]) {
      await replaced.end(await replaced.head(world.ref()), next);
      await servedCheckpoint(deps, world.ref());
    }
    await endLogs(clients(), tables, 'replaced');
    expect(await origin()).toMatch(/\/public\/4$/);
  });
});

test('marks every minute with events since a moment, so that the log gets what it lacks, once', async () => {
  const logged = world.event();
  await world.accept([logged], start + 5 * minutes);
  await world.close(start + 5 * minutes + over);
  await world.close(start + 9 * minutes);
  expect(await world.busy.upTo('9')).toEqual([]);
  await endLogs(clients(), tables, undefined);
  const unmarked = [0, 5, 6, 7].map((position) => ({ position, event: world.event() }));
  for (const { position, event } of unmarked)
    await new EventStore(client, 'events', () => start + position * minutes).append(world.tenantId, [event]);
  const deployment = { clients: clients(), tables } as Deployment;
  expect(await markMinutes(deployment, start + 4 * minutes)).toBe(3);
  await world.close(start + 10 * minutes);
  const { log, earlier } = await world.logs.head(world.ref());
  expect([log.generation, earlier?.generation]).toEqual([2, 1]);
  expect((await world.closed()).map(({ minute, count }) => [minute.slice(14, 16), count])).toEqual([
    ['06', 2],
    ['07', 1],
  ]);
});
