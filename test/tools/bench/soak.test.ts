import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { kindProperties } from '../../../core/export/kinds/records.ts';
import { isSound, type Result } from '../../../tools/bench/soak/soak.ts';
import { Arrivals, Workload } from '../../../tools/bench/soak/workload.ts';
import { seeded } from '../../../tools/bench/report.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const recordOf = (aggregateId: string, ...numbers: number[]): string =>
  JSON.stringify({
    events: numbers.map((number) => ({ metadata: { aggregateId }, payload: { destination: `${number}` } })),
  });

describe('what arrived', () => {
  const accepted = new Map([
    ['a', 4],
    ['b', 1],
  ]);
  const tallyOf = (...records: string[]) => {
    const arrivals = new Arrivals();
    arrivals.add(records);
    return arrivals.tally(accepted);
  };

  test.each([
    [
      'is complete if every number of every aggregate came',
      [recordOf('a', 1, 2), recordOf('b', 1), recordOf('a', 3, 4)],
      {},
    ],
    ['lacks what did not come', [recordOf('a', 1, 2, 4)], { lost: 2 }],
    [
      'may have come again, which is no inversion',
      [recordOf('a', 1, 2, 3, 2, 3, 4), recordOf('b', 1)],
      { duplicates: 2 },
    ],
    [
      'is out of order if it came after a later event for the first time',
      [recordOf('a', 1, 3, 2, 4), recordOf('b', 1)],
      { inversions: 1 },
    ],
  ])('%s', (_, records, differences) => {
    expect(tallyOf(...records)).toEqual({
      accepted: 5,
      lost: 0,
      duplicates: 0,
      inversions: 0,
      ...differences,
    });
  });

  test('is unsound if events are lost or out of order, or a target did not recover', () => {
    const [fine] = [{ kind: 'stream' as const, ...tallyOf(recordOf('a', 1, 2, 3, 4), recordOf('b', 1)) }];
    const fault = { name: 'stream-slow', duration: 1, recovery: 1 };
    const sound = { targets: [fine], faults: [fault] };
    expect(isSound(sound)).toBe(true);
    expect(isSound({ ...sound, targets: [{ ...fine, lost: 1 }] })).toBe(false);
    expect(isSound({ ...sound, targets: [{ ...fine, inversions: 1 }] })).toBe(false);
    expect(isSound({ ...sound, targets: [{ ...fine, kind: 'bucket', inversions: 1 }] })).toBe(true);
    expect(isSound({ ...sound, faults: [{ ...fault, recovery: undefined }] })).toBe(false);
    expect(isSound({ ...sound, faults: [{ ...fault, recovery: 'not awaited' }] })).toBe(true);
  });
});

test('the events of a seed are always the same, and numbered by aggregate', () => {
  const callsOf = (seed: number) => {
    const workload = new Workload(2, '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', seeded(seed));
    const texts = [workload.next(100), workload.next(7)].map((events) => JSON.stringify({ events }));
    const arrivals = new Arrivals();
    arrivals.add(texts);
    return { numbers: [...workload.numbers], tally: arrivals.tally(workload.numbers) };
  };
  expect(callsOf(1).tally).toEqual({ accepted: 107, lost: 0, duplicates: 0, inversions: 0 });
  expect(callsOf(1).numbers).toEqual(callsOf(1).numbers);
  expect(callsOf(1).numbers).not.toEqual(callsOf(2).numbers);
});

describe('a small soak', () => {
  const stack = useSharedStack();

  test('loses nothing, and keeps the order, while the targets of all kinds fail in turn', async () => {
    const ofRoles = ['stream-partial', 'stream-refused', 'bus-partial', 'bus-refused'];
    const faults = [...ofRoles, 'bucket-partial', 'webhook-cuts', 'webhook-fails'];
    const { stdout } = await promisify(execFile)(process.execPath, [
      'tools/bench/soak/run.ts',
      ...['--stack', stack.directory, '--events', '1200', '--rate', '100'],
      ...['--faults', faults.join(','), '--fault-seconds', '0.5', '--json'],
    ]);
    const { targets, faults: over } = JSON.parse(stdout) as Result;
    expect(targets.map(({ kind }) => kind)).toEqual(['stream', 'bucket', 'webhook', 'bus']);
    for (const { kind, lost, inversions } of targets)
      expect({ lost, inversions: kindProperties[kind].isOrdered ? inversions : 0 }).toEqual({
        lost: 0,
        inversions: 0,
      });
    expect(targets.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1_200);
    for (const { drain } of targets) expect(drain).toBeGreaterThanOrEqual(0);
    expect(over.length).toBeGreaterThan(0);
  });
});
