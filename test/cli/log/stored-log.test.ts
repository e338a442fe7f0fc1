/** What `omi log verify` finds in the tables. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { EventComparer } from '../../../cli/log/compare-events.ts';
import { readHeads } from '../../../cli/log/stored-heads.ts';
import { verifyStoredTree, type TreeTrust } from '../../../cli/log/verify-stored-tree.ts';
import { EventArchiveStore } from '../../../core/events/event-archive-store.ts';
import { EventStore } from '../../../core/events/event-store.ts';
import type { PublicEvent } from '../../../core/events/event.ts';
import { originOf, signedCheckpoint } from '../../../core/export/log/checkpoint.ts';
import { eraseLeaf } from '../../../core/export/log/erase-leaf.ts';
import { leafOf } from '../../../core/export/log/leaf.ts';
import { LeafPage } from '../../../core/export/log/leaf-page.ts';
import { logKeys } from '../../../core/export/log/log-keys.ts';
import type { ClosedMinute } from '../../../core/export/log/log-store.ts';
import { servedCheckpoint } from '../../../core/export/log/served-checkpoint.ts';
import { hours, minutes, seconds } from '../../../core/kernel/time.ts';
import { baseUrl, LogWorld, newLogKey } from '../../support/log-world.ts';

const signing = newLogKey();
const start = Date.UTC(2026, 10, 12, 9);
const over = minutes + 20 * seconds;
const range = { from: start - 2 * hours, to: start + hours };

let shared: LogWorld;
let world: LogWorld;
let events: PublicEvent[];
beforeAll(async () => {
  shared = await LogWorld.start(signing);
});

/** Three minutes with two events each. */
beforeEach(async () => {
  world = shared.another();
  events = [];
  for (const position of [0, 1, 2]) {
    const its = [world.event(), world.event()];
    await world.accept(its, start + position * minutes);
    await world.close(start + position * minutes + over);
    events.push(...its);
  }
  // No minute is marked any more.
  await world.close(start + 10 * minutes);
});

const log = () => ({ ...world.ref(), generation: 1 });
function event(position: number): PublicEvent {
  const found = events[position];
  if (!found) throw new Error('There is no such event.');
  return found;
}

async function compared(wanted = range) {
  const hoursWithEvents: string[] = [];
  const unreadable: string[] = [];
  const { logs, leaves, busy, client } = world;
  const deps = { archive: new EventArchiveStore(client, 'events'), busy, logs, leaves };
  const { all } = await readHeads(logs, world.ref());
  const comparer = new EventComparer(deps, world.ref(), all, {
    compared: (hour) => hoursWithEvents.push(hour),
    unreadable: (reason) => unreadable.push(reason),
  });
  return { ...(await comparer.compare(wanted)), hoursWithEvents, unreadable };
}

const faults = (found: { findings: { fault: string }[] }): string[] =>
  found.findings.map(({ fault }) => fault).toSorted();

const eventKey = ({ metadata }: PublicEvent) => ({
  pk: `${world.tenantId}#${metadata.aggregateId}`,
  sk: metadata.eventId,
});

async function set(TableName: string, Key: object, name: string, value: unknown): Promise<void> {
  await world.client.send(
    new UpdateCommand({
      ...{ TableName, Key: Key as Record<string, unknown>, UpdateExpression: 'SET #name = :value' },
      ...{ ExpressionAttributeNames: { '#name': name }, ExpressionAttributeValues: { ':value': value } },
    }),
  );
}

async function remove(TableName: string, Key: object): Promise<void> {
  await world.client.send(new DeleteCommand({ TableName, Key: Key as Record<string, unknown> }));
}

async function closedAt(position: number): Promise<ClosedMinute> {
  const minute = (await world.closed())[position];
  if (!minute) throw new Error('The minute is not closed.');
  return minute;
}

describe('the comparison of stored events with the log', () => {
  test('finds nothing if nothing was changed, and tells each hour with events', async () => {
    expect(await compared()).toEqual({
      ...{ findings: [], compared: 6, erased: 0, open: 0 },
      ...{ hoursWithEvents: ['2026-11-12T09'], unreadable: [] },
    });
  });

  test('finds an event that was edited', async () => {
    const text = JSON.stringify(event(0)).replace('anna', 'mallory');
    await set('events', eventKey(event(0)), 'event', text);
    const { findings } = await compared();
    const { eventId } = event(0).metadata;
    expect(findings).toMatchObject([{ fault: 'edited', eventId, minute: '2026-11-12T09:00:00Z' }]);
    await world.busy.mark([{ ref: world.ref(), minute: '2026-11-12T09:00:00Z' }], start);
    expect(await compared()).toMatchObject({ findings, open: 0 });
  });

  test('finds an event that was removed, or made unreadable', async () => {
    await remove('events', eventKey(event(0)));
    await set('events', eventKey(event(1)), 'event', '{"metadata":}');
    await set('events', eventKey(event(2)), 'event', 'nothing');
    const found = await compared();
    expect([faults(found), found.unreadable.length]).toEqual([['removed', 'removed', 'removed'], 1]);
  });

  test('finds an event that was added, unless its minute waits to be closed', async () => {
    const added = world.event();
    await new EventStore(world.client, 'events', () => start + 30 * seconds).append(world.tenantId, [added]);
    expect(await compared()).toMatchObject({
      findings: [{ fault: 'added', eventId: added.metadata.eventId }],
      open: 0,
    });
    await world.busy.mark([{ ref: world.ref(), minute: '2026-11-12T09:00:00Z' }], start);
    expect(await compared()).toMatchObject({ findings: [], open: 1 });
  });

  test('finds leaves that were edited, and lists of leaves that were removed', async () => {
    const [minute, other] = [await closedAt(0), await closedAt(1)];
    const page = logKeys.page(log(), minute.minute, minute.attempt, 0);
    const { bytes } = await pageOf(minute);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await set('log', page, 'leaves', bytes);
    const edited = await compared();
    expect(faults(edited)).toEqual(['edited', 'wrong-root']);
    await remove('log', logKeys.page(log(), other.minute, other.attempt, 0));
    expect(faults(await compared())).toEqual(['added', 'added', 'edited', 'wrong-root', 'wrong-root']);
  });

  test('knows an event by the hash of a leaf without its id, and counts those that were erased', async () => {
    const minute = await closedAt(0);
    for (const position of [0, 1]) {
      const its = event(position);
      const leaf = leafOf(JSON.stringify(its), its.metadata.eventId);
      const { pk, sk } = eventKey(its);
      const { Item } = await world.client.send(new GetCommand({ TableName: 'events', Key: { pk, sk } }));
      expect(await eraseLeaf(world, minute.log, leaf, String(Item?.['sequence']))).toBe(true);
    }
    expect(await compared()).toMatchObject({ findings: [], compared: 6, erased: 0 });
    await remove('events', eventKey(event(0)));
    expect(await compared()).toMatchObject({ findings: [], compared: 6, erased: 1 });
    await remove('events', eventKey(event(2)));
    expect(await compared()).toMatchObject({ findings: [{ fault: 'removed' }], erased: 1 });
  });

  test('matches late events with the batch that they joined, in the range and across its ends', async () => {
    const late = world.event();
    await world.accept([late], start, start + 13 * minutes);
    await world.close(start + 15 * minutes);
    expect((await world.closed()).map(({ count }) => count)).toEqual([2, 2, 2, 1]);
    expect(await compared()).toMatchObject({ findings: [], compared: 7 });
    expect(await compared({ from: start + 2 * minutes, to: start + hours })).toMatchObject({ findings: [] });
    expect(await compared({ from: start, to: start + 2 * minutes })).toMatchObject({ findings: [] });
  });

  test('leaves CheckpointEvents out, which are in no log', async () => {
    const other = world.event();
    const told = { ...other, metadata: { ...other.metadata, type: 'CheckpointEvent' } };
    await new EventStore(world.client, 'events', () => start).append(world.tenantId, [told]);
    expect(await compared()).toMatchObject({ findings: [], compared: 6 });
  });
});

async function pageOf(minute: ClosedMinute) {
  const Key = logKeys.page(log(), minute.minute, minute.attempt, 0);
  const { Item } = await world.client.send(new GetCommand({ TableName: 'log', Key }));
  const bytes = Buffer.from(Item?.['leaves'] as Uint8Array);
  return { bytes, page: new LeafPage(bytes) };
}

/** Signs the checkpoint of the log as it is. */
async function sign(): Promise<string> {
  const { signed } = await servedCheckpoint({ logs: world.logs, key: signing.key, baseUrl }, world.ref());
  return signed.text;
}

const origin = (): string => originOf(baseUrl, world.ref(), 1);

/** A signed checkpoint of another history. */
async function forged(size: number): Promise<string> {
  const checkpoint = { origin: origin(), size, root: Buffer.alloc(32, 7) };
  return await signedCheckpoint(checkpoint, signing.key);
}

/** Another minute with an event. */
async function grow(position: number): Promise<PublicEvent[]> {
  const its = [world.event()];
  await world.accept(its, start + position * minutes);
  await world.close(start + position * minutes + over);
  return its;
}

async function treeFaults(trust: Partial<TreeTrust> = {}): Promise<string[]> {
  const findings = await verifyStoredTree(world.logs, await readHeads(world.logs, world.ref()), {
    ...{ tenantId: world.tenantId, category: 'public', baseUrl, kept: [], now: () => start + hours },
    ...{ keys: { keys: [signing.published] }, ...trust },
  });
  return findings.map(({ fault }) => fault);
}

describe('after a restore', () => {
  const bothEmpty = async () => ({ ...(await compared()), tree: await treeFaults({ kept: [await sign()] }) });

  test('finds nothing in the log before and the log after, whatever was kept of them', async () => {
    const kept = [await sign()];
    await world.restore();
    expect(await bothEmpty()).toMatchObject({ findings: [], compared: 6, tree: [] });
    events.push(...(await grow(20)));
    expect(await treeFaults({ kept })).toEqual([]);
    await world.restore();
    await grow(22);
    expect(await bothEmpty()).toMatchObject({ findings: [], compared: 8, tree: [] });
    expect(await treeFaults({ kept })).toEqual([]);
  });

  test('finds a changed minute of the log before, and one whose events were removed', async () => {
    await sign();
    await world.restore();
    await grow(20);
    await remove('events', eventKey(event(0)));
    expect(faults(await compared())).toEqual(['removed']);
    await set('log', logKeys.minute(log(), '2026-11-12T09:01:00Z'), 'count', 3);
    expect(await treeFaults()).toEqual(['wrong-root']);
  });

  test('finds that the log before is gone, or is another one', async () => {
    const kept = [await sign()];
    await world.restore();
    await grow(20);
    await sign();
    await set('log', logKeys.endedHead(log()), 'signed', { size: 3, text: await forged(3) });
    expect(await treeFaults({ kept })).toEqual(['split-view', 'rolled-back', 'wrong-root']);
    await remove('log', logKeys.endedHead(log()));
    expect(await treeFaults({ kept })).toEqual(['split-view', 'rolled-back', 'wrong-root']);
  });
});

describe('the verification of the stored tree', () => {
  test('finds nothing in an empty log, before and after its first checkpoint', async () => {
    world = shared.another();
    expect(await treeFaults()).toEqual([]);
    const text = await sign();
    expect(await treeFaults({ kept: [text] })).toEqual([]);
  });

  test('finds nothing if nothing was changed, whatever was kept of it', async () => {
    expect(await treeFaults()).toEqual([]);
    const kept = [await sign()];
    await grow(20);
    kept.push(await sign());
    await grow(22);
    expect(await treeFaults({ kept })).toEqual([]);
  });

  test.each([
    ['that is signed', 0],
    ['that no checkpoint has yet', 3],
  ])('finds a changed minute %s', async (_, position) => {
    await sign();
    await grow(20);
    const { minute } = await closedAt(position);
    await set('log', logKeys.minute(log(), minute), 'count', 3);
    expect(await treeFaults()).toEqual(['wrong-root']);
  });

  test.each([
    ['that is signed', 1],
    ['that no checkpoint has yet', 3],
  ])('finds a missing minute %s', async (_, position) => {
    await sign();
    await grow(20);
    await remove('log', logKeys.minute(log(), (await closedAt(position)).minute));
    expect(await treeFaults()).toEqual(['wrong-root']);
  });

  test.each([
    ['between those that are signed', '2026-11-12T09:00:30Z'],
    ['after the last checkpoint', '2026-11-12T09:15:00Z'],
  ])('finds a minute that is not in the tree %s', async (_, minute) => {
    await sign();
    await grow(20);
    const { attempt, root } = await closedAt(0);
    const Item = { ...logKeys.minute(log(), minute), attempt, count: 2, root, leafIndex: 0 };
    await world.client.send(new PutCommand({ TableName: 'log', Item }));
    expect(await treeFaults()).toEqual(['wrong-root']);
  });

  test('finds a rollback by a checkpoint that was kept, and by the one that was signed last', async () => {
    const earlier = await sign();
    await grow(20);
    const kept = [await sign()];
    await set('log', logKeys.head(world.ref()), 'signed', { size: 3, text: earlier });
    expect(await treeFaults({ kept })).toEqual(['rolled-back']);
    await set('log', logKeys.head(world.ref()), 'size', 2);
    expect(await treeFaults()).toEqual(['rolled-back']);
    await remove('log', logKeys.head(world.ref()));
    expect(await treeFaults({ kept: [...kept, 'something'] })).toEqual([
      'rolled-back',
      'malformed-checkpoint',
    ]);
  });

  test('finds that somebody was shown another history, and hashes that are gone', async () => {
    const kept = [await sign()];
    await grow(20);
    await sign();
    expect(await treeFaults({ kept: [await forged(3)] })).toEqual(['split-view']);
    await remove('log', logKeys.nodes(log(), 3));
    expect(await treeFaults({ kept })).toEqual(['split-view']);
  });

  test('finds a checkpoint that no key of the service signed, and still compares the minutes', async () => {
    await sign();
    expect(await treeFaults({ keys: { keys: [newLogKey().published] } })).toEqual(['wrong-signature']);
    await set('log', logKeys.minute(log(), (await closedAt(1)).minute), 'count', 3);
    expect(await treeFaults({ keys: { keys: [] } })).toEqual(['wrong-signature', 'wrong-root']);
  });
});
