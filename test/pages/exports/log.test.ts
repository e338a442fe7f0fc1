/** What the page says of the log, compared with the service's own trees. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { consistencySpans } from '../../../core/export/log/proofs.ts';
import { rootOf } from '../../../core/export/log/merkle-tree.ts';
import { checkLog, type LogApi } from '../../../pages/exports/src/log/check-log.ts';
import { readCheckpoint } from '../../../pages/exports/src/log/checkpoint.ts';
import { isConsistent } from '../../../pages/exports/src/log/consistency.ts';
import { KeptCheckpoints } from '../../../pages/exports/src/log/kept-checkpoints.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Leaves that differ from those of another history. */
const leavesOf = (size: number, history = ''): Buffer[] =>
  Array.from({ length: size }, (_, index) => createHash('sha256').update(`${history}${index}`).digest());
const rootOfSome = (leaves: readonly Buffer[]): Bytes => new Uint8Array(rootOf(leaves));
const treeOf = (size: number, history?: string) => ({ size, root: rootOfSome(leavesOf(size, history)) });

const pathOf = (from: number, to: number, history?: string): Bytes[] =>
  consistencySpans(from, to).map((span) => rootOfSome(leavesOf(to, history).slice(span.from, span.to)));

const sizes = fc
  .tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 70 }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);

describe('a proof of consistency', () => {
  test('shows that each later tree begins with each earlier one', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async ([from, to]) => {
        await expect(isConsistent(treeOf(from), treeOf(to), pathOf(from, to))).resolves.toBe(true);
      }),
    );
  });

  test('shows nothing for another history, a longer or shorter path, or a changed hash', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async ([from, to], place) => {
        fc.pre(from > 0);
        const path = pathOf(from, to);
        const changed = path.map((hash, index) =>
          index === place % path.length ? treeOf(1, 'x').root : hash,
        );
        const wrong = [
          isConsistent(treeOf(from, 'x'), treeOf(to), path),
          isConsistent(treeOf(from), treeOf(to, 'x'), path),
          isConsistent(treeOf(from), treeOf(to), [...path, treeOf(1).root]),
          ...(path.length > 0
            ? [
                isConsistent(treeOf(from), treeOf(to), path.slice(1)),
                isConsistent(treeOf(from), treeOf(to), changed),
              ]
            : []),
          ...(from < to ? [isConsistent(treeOf(to), treeOf(from), path)] : []),
        ];
        expect(await Promise.all(wrong)).toEqual(wrong.map(() => false));
      }),
    );
  });
});

const checkpoint = (size: number, history = '', origin = 'api.omi.example/t/public'): string =>
  `${origin}\n${size}\n${Buffer.from(treeOf(size, history).root).toString('base64')}\n\n— ${origin} c2ln\n`;

describe('a checkpoint', () => {
  test('is read with the spaces that somebody pasted around it', () => {
    const read = readCheckpoint(`\n ${checkpoint(3)}\n\n`);
    expect(read).toEqual({ ...treeOf(3), text: checkpoint(3), origin: 'api.omi.example/t/public' });
  });

  test.each([
    ['nothing', ''],
    ['a line too few', checkpoint(3).replace('3\n', '')],
    ['a size that is no number', checkpoint(3).replace('\n3\n', '\n3.5\n')],
    ['no signature', checkpoint(3).replace(/— .*/, '')],
  ])('is none with %s', (_, text) => {
    expect(readCheckpoint(text)).toBeUndefined();
  });
});

/** What a browser's storage does. */
function storage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}

/** A service whose log is what the test says. */
function service(state: { text: string; history?: string }): LogApi {
  return {
    checkpoint: async () => await Promise.resolve(state.text),
    consistency: async (_, { from, to }) =>
      await Promise.resolve(
        pathOf(from, to, state.history).map((hash) => Buffer.from(hash).toString('base64')),
      ),
  };
}

describe('the log', () => {
  const began = '2026-11-12T08:00:00.000Z';
  const [first, later] = [Date.parse(began), Date.parse(began) + 86_400_000];
  const deps = (kept: KeptCheckpoints, state: { text: string; history?: string }, now = later) => ({
    ...{ api: service(state), kept, now: () => now },
  });

  test('is unchanged since the first visit, however often it has grown', async () => {
    const kept = new KeptCheckpoints(storage());
    const visits: unknown[] = [];
    for (const [size, now] of [
      [0, first],
      [3, later],
      [3, later],
      [7, later],
    ] as const)
      visits.push(await checkLog(deps(kept, { text: checkpoint(size) }, now), 't', 'public'));
    const unchanged = { outcome: 'unchanged', since: began };
    expect(visits).toEqual([
      { outcome: 'first', checkpoint: checkpoint(0), size: 0 },
      ...[3, 3, 7].map((size) => ({ ...unchanged, checkpoint: checkpoint(size), size })),
    ]);
    expect(await checkLog(deps(kept, { text: checkpoint(7) }), 'other', 'public')).toMatchObject({
      outcome: 'first',
    });
  });

  test.each([
    ['was changed', checkpoint(9, 'x'), 'x'],
    ['was shortened', checkpoint(4), ''],
  ])('that %s is compared with the kept checkpoint again next time', async (_, text, history) => {
    const kept = new KeptCheckpoints(storage());
    await checkLog(deps(kept, { text: checkpoint(5) }, first), 't', 'public');
    for (const _visit of ['next', 'the one after'])
      expect(await checkLog(deps(kept, { text, history }), 't', 'public')).toMatchObject({
        ...{ outcome: 'changed', since: began },
      });
    expect(kept.find('t', 'public')?.text).toBe(checkpoint(5));
  });

  test('is compared with a pasted checkpoint, which is not kept', async () => {
    const kept = new KeptCheckpoints(storage());
    const outcome = async (pasted: string): Promise<string> =>
      (await checkLog(deps(kept, { text: checkpoint(9) }), 't', 'public', pasted)).outcome;
    expect(await outcome(checkpoint(4))).toBe('unchanged');
    expect(await outcome(checkpoint(4, 'x'))).toBe('changed');
    expect(await outcome(checkpoint(4, '', 'api.omi.example/other/public'))).toBe('other-log');
    expect(await outcome('four')).toBe('unreadable');
    expect(kept.find('t', 'public')).toBeUndefined();
  });

  test.each(['{', 'null', '{"text":1,"since":"2026"}', '{"text":"x","since":"yesterday"}'])(
    'is new to a browser whose storage has %s',
    (text) => {
      expect(new KeptCheckpoints({ getItem: () => text, setItem: () => undefined }).find('t', 'public')).toBe(
        undefined,
      );
    },
  );

  test('is new at each visit to a browser that keeps nothing', async () => {
    const closed = (): never => {
      throw new Error('SecurityError');
    };
    const kept = new KeptCheckpoints({ getItem: closed, setItem: closed });
    expect(await checkLog(deps(kept, { text: checkpoint(1) }), 't', 'public')).toMatchObject({
      outcome: 'first',
    });
  });
});
