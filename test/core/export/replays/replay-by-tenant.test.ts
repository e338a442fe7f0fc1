import { describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import {
  replayByTenant,
  replayView,
  requireReplay,
} from '../../../../core/export/replays/replay-by-tenant.ts';
import { sendAgain } from '../../../../core/export/replays/send-again.ts';
import type { ArchivePosition } from '../../../../core/events/event-index-store.ts';
import type { ReplayProgress } from '../../../../core/export/replays/replay-store.ts';
import type { Replay } from '../../../../core/export/replays/replay.ts';
import { Refusal } from '../../../../core/kernel/refusal.ts';
import { target as schema } from '../../../../core/export/targets/target.ts';

const dayMs = 86_400_000;
const tenantId = '0199c0de-0000-7000-8000-000000000001';
const now = 1_700_000_000_000;

const target = v.parse(schema, {
  tenantId,
  category: 'public',
  destination: {
    kind: 'stream',
    streamArn: 'arn:aws:kinesis:eu-central-1:444455556666:stream/events',
    roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
    externalId: '6f1ed002ab5595859014ebf0951522d9',
  },
  state: 'active',
  stateSince: 1,
  parkedThrough: {},
  drainedThrough: {},
  waitingSince: {},
});

function world() {
  const counted: string[] = [];
  const sent: Replay[] = [];
  const known = new Map<string, ReplayProgress>();
  const deps = {
    targets: { find: async () => await Promise.resolve(target) },
    limits: { count: async (_: unknown, kind: string) => await Promise.resolve(void counted.push(kind)) },
    queue: { send: async (replay: Replay) => await Promise.resolve(void sent.push(replay)) },
    replays: {
      begin: async (replay: Replay) => {
        const progress = { state: 'running', eventsSent: 0, steps: 0, cursorHour: '2023-11-14T22' } as const;
        const begun = { ...replay, ...progress, position: '', updatedAt: now };
        known.set(replay.replayId, begun);
        return await Promise.resolve(begun);
      },
      find: async ({ replayId }: { replayId: string }) => await Promise.resolve(known.get(replayId)),
      fail: async () => await Promise.resolve(),
    },
  };
  const replay = async (
    range: { from: number; to: number; types?: string[] },
    category = 'public' as const,
  ) => await replayByTenant(deps, { tenantId, category, ...range }, now);
  return { deps, counted, sent, replay };
}

describe('a replay of a tenant', () => {
  test('ends now if its end is in the future, and begins with the oldest events', async () => {
    const { replay, counted, sent } = world();
    const begun = await replay({ from: now - 20 * dayMs, to: now + dayMs, types: ['UserSignedInEvent'] });
    expect(begun).toMatchObject({ from: now - 14 * dayMs, to: now, state: 'running' });
    expect(sent).toMatchObject([{ tenantId, category: 'public', types: ['UserSignedInEvent'] }]);
    expect(counted).toEqual(['replays']);
  });

  test('may begin before 1970', async () => {
    const { replay } = world();
    expect(await replay({ from: Date.parse('0000-01-01T00:00:00Z'), to: now })).toMatchObject({
      from: now - 14 * dayMs,
    });
  });

  test.each([
    [{ from: now - 1_000, to: now - 1_000 }, '/to'],
    [{ from: now + 1_000, to: now + 2_000 }, '/to'],
    [{ from: now - 20 * dayMs, to: now - 14 * dayMs }, '/to'],
    [{ from: now - 1_000, to: now, types: ['UserSignedInEvent', 'NoSuchEvent'] }, '/types/1'],
  ])('is refused, and not counted, with an invalid range or type: %j', async (range, pointer) => {
    const { replay, counted, sent } = world();
    await expect(replay(range)).rejects.toMatchObject({
      code: 'invalid-request',
      options: { errors: [{ pointer }] },
    });
    expect([counted, sent]).toEqual([[], []]);
  });

  test.each([
    ['export-not-found', undefined],
    ['no-destination', { ...target, destination: { kind: 'none' as const } }],
  ])('is refused, and not counted, without an export: %s', async (code, found) => {
    const { deps, counted, sent } = world();
    const targets = { find: async () => await Promise.resolve(found) };
    const request = { tenantId, category: 'public' as const, from: now - 1_000, to: now };
    await expect(replayByTenant({ ...deps, targets }, request, now)).rejects.toMatchObject({ code });
    expect([counted, sent]).toEqual([[], []]);
  });

  test('of what was given up has exactly its ranges, in order, and says how many events those were', async () => {
    const { deps, sent, counted } = world();
    const losses = [
      { cause: 'errors' as const, from: now - 5_000, to: now - 4_000, events: 20 },
      { cause: 'expired' as const, from: now - 90_000, to: now - 80_000, events: 4 },
      { cause: 'errors' as const, from: now - 4_500, to: now + 900, events: 2 },
      { cause: 'errors' as const, from: now - 70_000, to: now - 60_000, events: 9, dismissedAt: now },
    ];
    const targets = { find: async () => await Promise.resolve({ ...target, givenUp: losses }) };
    const request = { tenantId, category: 'public' as const, givenUp: true as const };
    const begun = await replayByTenant({ ...deps, targets }, request, now);
    const ranges = [
      { from: now - 90_000, to: now - 80_000 },
      { from: now - 5_000, to: now + 900 },
    ];
    expect(sent).toMatchObject([{ from: now - 90_000, to: now + 900, givenUp: { ranges, count: 26 } }]);
    expect(replayView(begun)).toMatchObject({ count: 26 });
    expect(counted).toEqual(['replays']);
    await expect(replayByTenant(deps, request, now)).rejects.toMatchObject({
      options: { errors: [{ pointer: '/givenUp' }] },
    });
  });

  test('is not sent when the limit is reached', async () => {
    const { deps, sent } = world();
    const limits = { count: async () => await Promise.reject(new Refusal('too-many-requests', 'Later.')) };
    const request = { tenantId, category: 'public' as const, from: now - 1_000, to: now };
    const asked = replayByTenant({ ...deps, limits }, request, now);
    await expect(asked).rejects.toMatchObject({ code: 'too-many-requests' });
    expect(sent).toEqual([]);
  });

  test('is not looked up by an id of another form, which would be too long for a key', async () => {
    const find = async () => await Promise.reject(new Error('ValidationException'));
    const looked = requireReplay({ find }, { tenantId, category: 'public', replayId: 'x'.repeat(3_000) });
    await expect(looked).rejects.toMatchObject({ code: 'replay-not-found' });
  });

  test('is not found under another category', async () => {
    const { replay, deps } = world();
    const { replayId } = await replay({ from: now - 1_000, to: now });
    expect(await requireReplay(deps.replays, { tenantId, category: 'public', replayId })).toMatchObject({
      replayId,
    });
    await expect(requireReplay(deps.replays, { tenantId, category: 'log', replayId })).rejects.toMatchObject({
      code: 'replay-not-found',
    });
  });
});

describe('one event that is sent again', () => {
  const eventId = '0199c0de-0001-7000-8000-00000000000a';
  type Item = { shard: number; at: number; ids: readonly string[]; type?: string };

  /** Pages of one item each. */
  const indexOf = (...items: readonly Item[]) => ({
    page: async ({ from, to }: { from: number; to: number }, { shard, after = '' }: ArchivePosition) => {
      const its = items
        .filter((one) => one.shard === shard && one.at >= from && one.at < to && String(one.at) > after)
        .map(({ at, ids, type = 'UserSignedInEvent' }) => ({
          sequence: { S: String(at) },
          ids: { L: ids.map((id) => ({ S: `${type} ${id}` })) },
        }));
      const [first] = its;
      return await Promise.resolve({
        items: its.slice(0, 1),
        ...(first && its.length > 1 && { last: first.sequence.S }),
      });
    },
  });
  const send = async (world_: ReturnType<typeof world>, items: readonly Item[], found = target) => {
    const targets = { find: async () => await Promise.resolve(found) };
    const request = { tenantId, category: 'public' as const, eventId: eventId.toUpperCase() };
    return await sendAgain({ ...world_.deps, targets, index: indexOf(...items) }, request, now);
  };
  const others = ['0199c0de-0001-7000-8000-00000000000b'];

  // The clock of the Lambda that accepted it may be ahead.
  test.each([-30_000, 0, 2 * 60_000, 3_600_001, 13 * dayMs])(
    'is found %d ms after its acceptance, in any shard, beside others that were accepted with it',
    async (age) => {
      const one = world();
      const at = now - age;
      await send(one, [
        { shard: 7, at: at - 1, ids: others },
        { shard: 7, at, ids: [...others, eventId] },
      ]);
      expect(one.sent).toMatchObject([{ tenantId, from: at, to: at + 1, eventIds: [eventId] }]);
      expect(one.counted).toEqual(['sends']);
    },
  );

  test('is left to its replay if the index cannot be looked through in time', async () => {
    const one = world();
    const page = async () => {
      jest.setSystemTime(Date.now() + 4_000);
      return await Promise.resolve({ items: [], last: String(now) });
    };
    jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const request = { tenantId, category: 'public' as const, eventId };
      await sendAgain({ ...one.deps, index: { page } }, request, now);
    } finally {
      jest.useRealTimers();
    }
    expect(one.sent).toMatchObject([{ from: now - 14 * dayMs, to: now, eventIds: [eventId] }]);
  });

  test('is not found if it is unknown, older than 14 days, or of a type that the export does not have', async () => {
    const one = world();
    const notFound = { code: 'event-not-found' };
    await expect(send(one, [{ shard: 0, at: now - 1, ids: others }])).rejects.toMatchObject(notFound);
    await expect(send(one, [{ shard: 0, at: now - 15 * dayMs, ids: [eventId] }])).rejects.toMatchObject(
      notFound,
    );
    const filtered = { ...target, types: ['UserDeletedEvent'] };
    const items = [{ shard: 0, at: now - 1, ids: [eventId] }];
    await expect(send(one, items, filtered)).rejects.toMatchObject(notFound);
    expect(one.sent).toEqual([]);
  });
});
