import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { verifyInclusion } from '#consumer';
import type { PublicEvent } from '../../../../core/events/event.ts';
import { eraseLeaf } from '../../../../core/export/log/erase-leaf.ts';
import { rootOfTree } from '../../../../core/export/log/growing-tree.ts';
import { hashOfEvent, leafOf } from '../../../../core/export/log/leaf.ts';
import { leavesOfPage } from '../../../../core/export/log/leaf-page.ts';
import { listLeaves } from '../../../../core/export/log/list-minutes.ts';
import { rootOf } from '../../../../core/export/log/merkle-tree.ts';
import { minuteOf } from '../../../../core/export/log/minute.ts';
import { proveInclusion } from '../../../../core/export/log/prove.ts';
import { minutes, seconds } from '../../../../core/kernel/time.ts';
import { LogWorld } from '../../../support/log-world.ts';

const start = Date.UTC(2026, 2, 1, 9);
const over = start + minutes + 20 * seconds;

let shared: LogWorld;
let world: LogWorld;
let events: PublicEvent[];
beforeAll(async () => {
  shared = await LogWorld.start();
});

/** A minute of two pages, in the order of their leaves. */
beforeEach(async () => {
  world = shared.another();
  events = Array.from({ length: leavesOfPage + 3 }, () => world.event()).sort((a, b) =>
    a.metadata.eventId < b.metadata.eventId ? -1 : 1,
  );
  for (let from = 0; from < events.length; from += 100)
    await world.accept(events.slice(from, from + 100), start);
  await world.close(over);
});

const leafAt = (index: number) => {
  const event = events[index];
  return leafOf(JSON.stringify(event), event?.metadata.eventId ?? '');
};
const nameOf = (index: number) => {
  const { eventId = '', aggregateId = '' } = events[index]?.metadata ?? {};
  return { category: 'public' as const, eventId, aggregateId };
};

async function erase(index: number): Promise<boolean> {
  const { log } = await world.logs.head(world.ref());
  const sequence = await world.proofs.events.find(world.tenantId, nameOf(index));
  return await eraseLeaf(world, log, leafAt(index), sequence ?? '');
}

async function listed() {
  const head = await world.logs.head(world.ref());
  return await listLeaves(world, head, minuteOf(start), 0);
}

async function isProven(index: number): Promise<boolean> {
  const { log, tree } = await world.logs.head(world.ref());
  const name = nameOf(index);
  const proof = await proveInclusion(world.proofs, { log }, name, tree.size).catch(() => undefined);
  if (!proof) return false;
  const event = { text: JSON.stringify(events[index]), eventId: name.eventId };
  verifyInclusion(event, proof, { size: tree.size, root: rootOfTree(tree) });
  return true;
}

describe('an erased leaf', () => {
  test('leaves its hash, from which the root of the minute is computed as before', async () => {
    const erased = [0, 5, leavesOfPage, leavesOfPage + 2];
    for (const index of erased) expect(await erase(index)).toBe(true);
    const view = await listed();
    expect(view.erased).toEqual(
      erased.map((leafIndex) => {
        return { leafIndex, hash: hashOfEvent(leafAt(leafIndex)).toString('base64') };
      }),
    );
    expect(view.leaves).toHaveLength(events.length - erased.length);
    const ids = view.leaves.join();
    for (const index of erased) expect(ids).not.toContain(events[index]?.metadata.eventId);
    const [minute] = await world.closed();
    expect(rootOf(events.map((_, index) => hashOfEvent(leafAt(index))))).toEqual(minute?.root);
  });

  test('is proven no more, and those beside it are, on each of its pages', async () => {
    const erased = [0, leavesOfPage - 1, leavesOfPage];
    for (const index of erased) await erase(index);
    for (const index of erased) expect(await isProven(index)).toBe(false);
    for (const index of [1, leavesOfPage - 2, leavesOfPage + 1, leavesOfPage + 2])
      expect(await isProven(index)).toBe(true);
    for (const index of [leavesOfPage + 1, leavesOfPage + 2]) await erase(index);
    expect(await isProven(leavesOfPage - 2)).toBe(true);
    const [minute] = await world.closed();
    const { firsts = [] } = (minute && (await world.leaves.directory(minute))) ?? {};
    expect(firsts).toEqual([events[1]?.metadata.eventId, '~']);
  });

  test('may be erased again, and at the same time as others', async () => {
    const all = [3, 4, 5, 6, 7];
    expect(await Promise.all(all.map(erase))).toEqual(all.map(() => true));
    expect(await erase(3)).toBe(true);
    expect(await erase(leavesOfPage)).toBe(true);
    expect(await erase(leavesOfPage)).toBe(true);
    expect((await listed()).erased).toHaveLength(all.length + 1);
  });

  test('finds no leaf of an event that is not in the log', async () => {
    events.push(world.event());
    await world.accept(events.slice(-1), start + 5 * minutes);
    expect(await erase(events.length - 1)).toBe(false);
  });
});
