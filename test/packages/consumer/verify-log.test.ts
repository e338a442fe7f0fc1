import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConsumerError, verifyLog, type VerifyLogOptions } from '#consumer';
import { originOf, signedCheckpoint } from '../../../core/export/log/checkpoint.ts';
import { findLog } from '../../../core/export/log/find-log.ts';
import type { LogHead } from '../../../core/export/log/log-head.ts';
import { rootOfTree } from '../../../core/export/log/growing-tree.ts';
import { leafHash as hashOf } from '../../../core/export/log/merkle-tree.ts';
import { listLeaves, listMinutes } from '../../../core/export/log/list-minutes.ts';
import { proveConsistency, proveInclusion } from '../../../core/export/log/prove.ts';
import { checkpointOf } from '../../../core/export/log/served-checkpoint.ts';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { hours, minutes, seconds } from '../../../core/kernel/time.ts';
import { baseUrl, LogWorld, newLogKey } from '../../support/log-world.ts';

let shared: LogWorld;
const signing = newLogKey();
beforeAll(async () => {
  shared = await LogWorld.start(signing);
});

const start = Date.UTC(2026, 10, 12, 9);
const over = start + minutes + 20 * seconds;
const from = new Date(start);
const to = new Date(start + hours);

type Service = VerifyLogOptions['exports'];

/** The service without HTTP. */
function serviceOf(world: LogWorld, ref = world.ref()): Service {
  const deps = { logs: world.logs, key: signing.key, baseUrl };
  const answer = async <T>(
    generation: number | undefined,
    ofLog: (head: LogHead) => Promise<T>,
  ): Promise<T> => {
    try {
      return await ofLog(await findLog(world.logs, ref, generation));
    } catch (error) {
      throw error instanceof Refusal ? new ConsumerError(error.code, error.message) : error;
    }
  };
  return {
    checkpoint: async (_, generation) =>
      await answer(undefined, async () => (await checkpointOf(deps, ref, generation)).signed.text),
    logMinutes: async (_, { from: begin, to: end }, generation) =>
      await answer(
        generation,
        async (head) => await listMinutes(world, head, { from: begin.getTime(), to: end.getTime() }),
      ),
    logLeaves: async function* (_, minute, generation) {
      const { leaves } = await answer(generation, async (head) => await listLeaves(world, head, minute, 0));
      for (const leaf of leaves) {
        const [eventId = '', digest = ''] = leaf.split(' ');
        yield { eventId, digest };
      }
    },
    consistencyProof: async (_, range, generation) =>
      await answer(generation, async (head) => (await proveConsistency(world.proofs, head, range)).path),
    inclusionProof: async (_, { eventId, aggregateId = '' }, size = 0, generation?: number) => {
      const name = { category: 'public' as const, eventId, aggregateId };
      return await answer(generation, async (head) => await proveInclusion(world.proofs, head, name, size));
    },
  };
}

/** A log of three minutes with two events each, and what its tenant got. */
async function logged() {
  const world = shared.another();
  const texts: string[] = [];
  for (const position of [0, 1, 2]) {
    const events = [world.event(), world.event()].map((event) => {
      const occurredTime = new Date(start + position * minutes).toISOString();
      return { ...event, metadata: { ...event.metadata, occurredTime } };
    });
    await world.accept(events, start + position * minutes);
    await world.close(over + position * minutes);
    texts.push(...events.map((event) => JSON.stringify(event)));
  }
  return { world, texts };
}

let world: LogWorld;
let texts: string[];
beforeEach(async () => {
  ({ world, texts } = await logged());
});

const verified = async (options: Partial<VerifyLogOptions> = {}) =>
  await verifyLog({
    ...{ exports: serviceOf(world), category: 'public', tenantId: world.tenantId, baseUrl },
    ...{ keys: { keys: [signing.published] }, from, to, copy: texts, now: () => start + hours },
    ...options,
  });

const faultsOf = async (options: Partial<VerifyLogOptions>): Promise<string[]> =>
  (await verified(options)).findings.map(({ fault }) => fault).toSorted();

const with_ = (change: (exports: Service) => Partial<Service>): Service => {
  const exports = serviceOf(world);
  return { ...exports, ...change(exports) };
};

describe('verifyLog', () => {
  test('finds nothing if nothing was changed, whatever came twice', async () => {
    const copy = [...texts, ...texts.slice(0, 2)];
    expect(await verified({ copy })).toMatchObject({
      ...{ ok: true, findings: [], size: 3, compared: 6, open: 0 },
      state: { size: 3, minute: '2026-11-12T09:02:00Z' },
    });
  });

  test('goes on from the last result, and compares the minutes of the range alone', async () => {
    const first = await verified();
    const next = world.event();
    await world.accept([next], start + 5 * minutes);
    await world.close(over + 5 * minutes);
    const range = { from: new Date(start + 5 * minutes), to };
    const copy = [JSON.stringify(next)];
    const found = await verified({ ...range, copy, kept: [first.checkpoint], state: first.state });
    expect(found).toMatchObject({ ok: true, size: 4, compared: 1, state: { size: 4 } });
  });

  test('finds an edited event, in a minute of the range and in an earlier one', async () => {
    const copy = texts.with(3, (texts[3] ?? '').replace('anna', 'mallory'));
    const { findings } = await verified({ copy });
    expect(findings).toMatchObject([{ fault: 'edited', minute: '2026-11-12T09:01:00Z' }]);
    const occurred = (texts[0] ?? '').replace('T09:00', 'T09:02');
    expect(
      await faultsOf({ copy: [occurred, ...texts.slice(1)], from: new Date(start + 2 * minutes) }),
    ).toEqual(['edited']);
  });

  test('finds a removed event, unless the reader itself chose only some types', async () => {
    const copy = texts.slice(1);
    expect(await faultsOf({ copy })).toEqual(['removed']);
    expect(await faultsOf({ copy, filtered: true })).toEqual([]);
  });

  test('finds an added event, and leaves open what is too new', async () => {
    const added = world.event();
    added.metadata.occurredTime = new Date(start + minutes).toISOString();
    const copy = [...texts, JSON.stringify(added)];
    expect(await faultsOf({ copy })).toEqual(['added']);
    const early = await verified({ copy, now: () => start + 4 * minutes });
    expect(early).toMatchObject({ ok: true, open: 1 });
  });

  test('knows that no log has a test event, whatever it says', async () => {
    const sent = world.event();
    sent.metadata.occurredTime = new Date(start + minutes).toISOString();
    const metadata = { ...sent.metadata, producerId: 'omi-test' };
    const claim = {
      metadata: { ...metadata, type: 'CheckpointEvent' },
      payload: { category: 'public', checkpoint: 'x' },
    };
    const copy = [...texts, JSON.stringify({ ...sent, metadata }), JSON.stringify(claim)];
    expect(await verified({ copy })).toMatchObject({ ok: true, open: 0 });
  });

  test('counts erased events that the copy lacks, and finds an edited one', async () => {
    const exports = with_(({ logLeaves }) => ({
      logLeaves: async function* (...args) {
        for await (const leaf of logLeaves(...args))
          yield 'hash' in leaf
            ? leaf
            : { hash: hashOf(Buffer.from(`${leaf.eventId}\n${leaf.digest}`)).toString('base64') };
      },
      inclusionProof: async () => await Promise.reject(new ConsumerError('not-in-log', 'erased')),
    }));
    expect(await verified({ exports })).toMatchObject({ ok: true, compared: 6, erased: 0 });
    const copy = texts.with(0, (texts[0] ?? '').replace('anna', 'mallory'));
    expect(await faultsOf({ exports, copy })).toEqual(['added']);
    expect(await verified({ exports, copy: texts.slice(2) })).toMatchObject({ ok: true, erased: 2 });
  });

  test('ignores events of other tenants and categories, and of other times', async () => {
    const other = shared.another().event();
    const later = world.event();
    later.metadata.occurredTime = new Date(start + 2 * hours).toISOString();
    const log = { metadata: { ...other.metadata, tenantId: world.tenantId, category: 'log' } };
    const copy = [...texts, JSON.stringify(other), JSON.stringify(later), JSON.stringify(log)];
    expect(await verified({ copy })).toMatchObject({ ok: true, open: 0 });
  });

  test('finds a rollback by a checkpoint that was kept, or came as an event', async () => {
    const { checkpoint } = await verified();
    const fewer = with_((exports) => ({
      checkpoint: async () => {
        const { log, tree } = await world.logs.head(world.ref());
        const [first] = await world.logs.nodes(log, [{ level: 1, index: 0 }]);
        const origin = originOf(baseUrl, world.ref(), 1);
        return await signedCheckpoint({ origin, size: 2, root: first ?? rootOfTree(tree) }, signing.key);
      },
      logMinutes: async (...args) => (await exports.logMinutes(...args)).slice(0, 2),
    }));
    const copy = texts.slice(0, 4);
    expect(await faultsOf({ exports: fewer, copy })).toEqual([]);
    expect(await faultsOf({ exports: fewer, copy, kept: [checkpoint] })).toEqual(['rolled-back']);
    const event = {
      metadata: { ...world.event().metadata, category: 'log', type: 'CheckpointEvent' },
      payload: { category: 'public', checkpoint },
    };
    expect(await faultsOf({ exports: fewer, copy: [...copy, JSON.stringify(event)] })).toEqual([
      'rolled-back',
    ]);
  });

  test('finds that another reader was shown another history', async () => {
    const other = shared.another();
    // The same tenant, whom the service shows a log with other events.
    Object.defineProperty(other, 'tenantId', { value: world.tenantId });
    const theirs = (await verified()).checkpoint;
    const event = world.event();
    await world.accept([event], start + 3 * minutes);
    await world.close(over + 3 * minutes);
    const copy = [...texts, JSON.stringify(event)];
    expect(await faultsOf({ copy, kept: [theirs] })).toEqual([]);
    const forged = await forkedCheckpoint(3);
    expect(await faultsOf({ copy, kept: [forged] })).toEqual(['split-view']);
    expect(await faultsOf({ copy, kept: [await forkedCheckpoint(4)] })).toEqual(['split-view']);
  });

  test.each<[string, (service: Service) => Partial<Service>]>([
    [
      'a minute less',
      ({ logMinutes }) => ({ logMinutes: async (...args) => (await logMinutes(...args)).slice(1) }),
    ],
    [
      'another root',
      ({ logMinutes }) => ({
        logMinutes: async (...args) => {
          const [first, second, ...rest] = await logMinutes(...args);
          if (!first || !second) return [];
          return [first, { ...second, root: first.root }, ...rest];
        },
      }),
    ],
    [
      'a minute that is not in the tree',
      ({ logMinutes }) => ({
        logMinutes: async (...args) => {
          const [first, ...rest] = await logMinutes(...args);
          return first ? [first, { ...first, minute: '2026-11-12T09:00:30Z' }, ...rest] : [];
        },
      }),
    ],
    [
      'other leaves',
      ({ logLeaves }) => ({
        logLeaves: async function* (...args) {
          let position = 0;
          for await (const leaf of logLeaves(...args)) if (position++ > 0) yield leaf;
        },
      }),
    ],
  ])('finds that the service answers with %s', async (_, change) => {
    expect(await faultsOf({ exports: with_(change) })).toContain('wrong-root');
  });

  test('refuses a checkpoint that the service did not sign, and names one that was kept', async () => {
    const keys = { keys: [newLogKey().published] };
    await expect(verified({ keys })).rejects.toMatchObject({ code: 'wrong-signature' });
    await expect(verified({ baseUrl: 'https://other.example' })).rejects.toMatchObject({ code: 'other-log' });
    expect(await faultsOf({ kept: ['something'] })).toEqual(['malformed-checkpoint']);
  });
});

describe('verifyLog after a restore', () => {
  /** Another minute with one event, which its tenant got. */
  async function grow(position: number): Promise<void> {
    const event = world.event();
    event.metadata.occurredTime = new Date(start + position * minutes).toISOString();
    await world.accept([event], start + position * minutes);
    await world.close(over + position * minutes);
    texts.push(JSON.stringify(event));
  }

  test('finds nothing in the logs before and after it, whatever was kept of them', async () => {
    const kept = [(await verified()).checkpoint];
    await world.restore();
    kept.push((await verified({ kept })).checkpoint);
    await grow(5);
    await world.restore();
    await grow(7);
    const found = await verified({ kept });
    expect(found).toMatchObject({ ok: true, findings: [], compared: 8, size: 2 });
    expect(found.checkpoint.split('\n')[0]).toMatch(/\/public\/3$/);
    expect(found.state).toMatchObject({ generation: 3, size: 2, minute: '2026-11-12T09:07:00Z' });
  });

  test('begins the log with the last checkpoint of the log before, which has all of its minutes', async () => {
    const kept = (await verified()).checkpoint;
    await grow(5);
    await world.restore();
    const text = await serviceOf(world).checkpoint('public');
    const [origin, size, root] = text.split('\n');
    const last = await serviceOf(world).checkpoint('public', 1);
    expect([origin, size, root]).toEqual([
      `${originOf(baseUrl, world.ref(), 1)}/2`,
      '1',
      hashOf(Buffer.from(last)).toString('base64'),
    ]);
    expect(last.split('\n')[1]).toBe('4');
    expect(await faultsOf({ kept: [kept, last, text] })).toEqual([]);
  });

  test('goes on from a result of the log before and from one of the log after', async () => {
    const first = await verified();
    await world.restore();
    await grow(5);
    const from = new Date(start + 5 * minutes);
    const calls: unknown[] = [];
    const exports = with_(({ logMinutes }) => ({
      logMinutes: async (...args) => {
        calls.push([args[2], args[1].from.toISOString()]);
        return await logMinutes(...args);
      },
    }));
    const second = await verified({ exports, from, kept: [first.checkpoint], state: first.state });
    expect(second).toMatchObject({ ok: true, compared: 1 });
    expect(calls).toEqual([[2, '2026-11-12T09:02:00.000Z']]);
    await grow(7);
    const later = new Date(start + 7 * minutes);
    const third = await verified({ from: later, kept: [first.checkpoint], state: second.state });
    expect(third).toMatchObject({ ok: true, compared: 1, size: 3 });
    const gone = { ...second.state, generation: 7 };
    expect(await verified({ state: gone })).toMatchObject({ ok: true, compared: 8 });
  });

  test('finds what was changed in the log before', async () => {
    await world.restore();
    await grow(5);
    const copy = texts.with(0, (texts[0] ?? '').replace('anna', 'mallory'));
    expect(await faultsOf({ copy })).toEqual(['edited']);
    expect(await faultsOf({ copy: texts.slice(1) })).toEqual(['removed']);
    const occurred = (texts[0] ?? '').replace('T09:00', 'T09:05');
    const moved = [occurred, ...texts.slice(1)];
    expect(await faultsOf({ copy: moved, from: new Date(start + 5 * minutes) })).toEqual(['edited']);
  });

  test('finds a checkpoint that the restore took back, and one of a log that is gone', async () => {
    await world.restore();
    await grow(5);
    expect(await faultsOf({ kept: [await forkedCheckpoint(4)] })).toEqual(['rolled-back']);
    expect(await faultsOf({ kept: [await forkedCheckpoint(1, 3)] })).toEqual(['rolled-back']);
    expect(await faultsOf({ kept: [await forkedCheckpoint(2)] })).toEqual(['split-view']);
  });

  test('finds that the log does not begin with the last checkpoint of the log before', async () => {
    const before = (await verified()).checkpoint;
    await grow(5);
    await world.restore();
    await grow(7);
    const other = with_(({ checkpoint }) => ({
      checkpoint: async (category, generation) =>
        generation === 1 ? before : await checkpoint(category, generation),
    }));
    expect(await faultsOf({ exports: other })).toContain('split-view');
    const none = with_(({ checkpoint }) => ({
      checkpoint: async (category, generation) =>
        generation === 1
          ? await Promise.reject(new ConsumerError('not-in-log', 'gone'))
          : await checkpoint(category, generation),
    }));
    expect(await faultsOf({ exports: none })).toContain('split-view');
  });
});

/** A signed checkpoint of another history with so many minutes. */
async function forkedCheckpoint(size: number, generation = 1): Promise<string> {
  const body = { origin: originOf(baseUrl, world.ref(), generation), size, root: Buffer.alloc(32, 7) };
  return await signedCheckpoint(body, signing.key);
}
