import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Arrivals } from '../../../tools/bench/soak/arrivals.ts';
import { readPlan } from '../../../tools/bench/soak/plan.ts';
import { render } from '../../../tools/bench/soak/report.ts';
import { isSound, type Result } from '../../../tools/bench/soak/soak.ts';
import { readRecord, Workload } from '../../../tools/bench/soak/workload.ts';
import { seeded } from '../../../tools/bench/report/seeded.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const eventsOf = (aggregate: string, ...numbers: number[]) =>
  numbers.map((number) => ({ aggregate, number }));

describe('the arrived events', () => {
  const accepted = new Map([
    ['a', 4],
    ['b', 1],
  ]);
  const tallyOf = (...events: ReturnType<typeof eventsOf>) => {
    const arrivals = new Arrivals();
    arrivals.add(events);
    return arrivals.tally(accepted);
  };

  test('are complete if every number of every aggregate came', () => {
    expect(tallyOf(...eventsOf('a', 1, 2), ...eventsOf('b', 1), ...eventsOf('a', 3, 4))).toEqual({
      arrived: 5,
      lost: 0,
      duplicates: 0,
      inversions: 0,
    });
  });

  test('are incomplete if one did not come', () => {
    expect(tallyOf(...eventsOf('a', 1, 2, 4))).toMatchObject({ arrived: 3, lost: 2, inversions: 0 });
  });

  test('may contain duplicates, which are not inversions', () => {
    expect(tallyOf(...eventsOf('a', 1, 2, 3, 2, 3, 4))).toMatchObject({ duplicates: 2, inversions: 0 });
  });

  test('are out of order if an event first came after a later one of its aggregate', () => {
    expect(tallyOf(...eventsOf('a', 1, 3, 2, 4))).toMatchObject({ duplicates: 0, inversions: 1 });
  });
});

test('the events of a seed are always the same and numbered by aggregate', () => {
  const callsOf = (seed: number) => {
    const workload = new Workload(2, '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', seeded(seed));
    const calls = [workload.next(100), workload.next(7)];
    const read = calls.map((events) => readRecord(JSON.stringify({ events })));
    const arrivals = new Arrivals();
    arrivals.add(read.flat());
    return { read, tally: arrivals.tally(workload.numbers) };
  };
  expect(callsOf(1).tally).toEqual({ arrived: 107, lost: 0, duplicates: 0, inversions: 0 });
  expect(callsOf(1).read).toEqual(callsOf(1).read);
  expect(callsOf(1).read).not.toEqual(callsOf(2).read);
});

describe('the options', () => {
  test('choose faults of the targets that get events', () => {
    const { plan } =
      readPlan(['--targets', 'bucket', '--faults', 'stream-slow,bucket-slow,tables-throttled']) ?? {};
    expect(plan?.faults).toEqual(['bucket-slow', 'tables-throttled']);
  });

  test.each([
    [['--events', '0'], /--events: expected 1 or more/],
    [['--rate', 'quick'], /--rate: expected a whole number/],
    [['--faults', 'rain'], /--faults/],
    [['--speed', '1'], /--speed/],
  ])('are checked: %j', (args, message) => {
    expect(() => readPlan(args)).toThrow(message);
  });
});

describe('the result', () => {
  const result = (target: object, recovery?: number): Result => ({
    plan: {
      seed: 7,
      events: 10,
      rate: 5,
      targets: ['stream'],
      faults: ['stream-slow'],
      faultSeconds: 1,
      patience: 1,
    },
    seconds: { recording: 2, settling: 1 },
    repeated: 3,
    targets: [{ kind: 'stream', accepted: 10, lost: 0, duplicates: 1, inversions: 0, ...target }],
    faults: [{ name: 'stream-slow', duration: 1_000, ...(recovery !== undefined && { recovery }) }],
  });

  test('is sound if nothing was lost or out of order, and everything recovered', () => {
    const sound = result({}, 1_500);
    expect(isSound(sound)).toBe(true);
    expect(render(sound)).toContain('| stream |              10 |    0 |          0 | 1 (10.00 %) |');
    expect(render(sound)).toMatch(/\| stream-slow \| +1 \| +1\.5 \| +1\.5 \|/);
  });

  test.each([[result({ lost: 1 }, 1)], [result({ inversions: 1 }, 1)], [result({})]])(
    'is not sound otherwise: %#',
    (unsound) => {
      expect(isSound(unsound)).toBe(false);
      expect(render(unsound)).toContain('Events were lost or came out of order');
    },
  );
});

describe('a small soak', () => {
  const stack = useSharedStack();

  test('loses nothing, and keeps the order, while stream, bucket and webhook fail in turn', async () => {
    const faults = ['stream-partial', 'stream-refused', 'bucket-partial', 'webhook-cuts', 'webhook-fails'];
    const { stdout } = await promisify(execFile)(process.execPath, [
      'tools/bench/soak/run.ts',
      ...['--stack', stack.directory, '--events', '1200', '--rate', '100'],
      ...['--faults', faults.join(','), '--fault-seconds', '0.5', '--json'],
    ]);
    const { targets, faults: over } = JSON.parse(stdout) as Result;
    expect(targets.map(({ kind }) => kind)).toEqual(['stream', 'bucket', 'webhook']);
    for (const { lost, inversions = 0 } of targets)
      expect({ lost, inversions }).toEqual({ lost: 0, inversions: 0 });
    expect(targets.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1_200);
    expect(over.length).toBeGreaterThan(0);
  }, 300_000);
});
