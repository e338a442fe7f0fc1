import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { type Round, type SubjectName, subjectNames, summarise } from '../../../tools/bench/api/bench.ts';
import { partsOf } from '../../../tools/bench/api/parts.ts';
import { parseStat, spent, total } from '../../../tools/bench/api/processor-time.ts';
import { render } from '../../../tools/bench/api/report.ts';
import { blockOf, documentPath } from '../../../tools/bench/report/document.ts';

test('the processor time of a thread is read correctly for every name of the thread', () => {
  const stat = parseStat('17 (a) (b c) S 4 17 17 0 -1 4194560 1 2 3 4 150 25 0 0 20 0 9');
  expect(stat).toEqual({ name: 'a) (b c', parent: 4, milliseconds: 1_750 });
});

test('the time between two measurements is the difference, or all of it for a new thread', () => {
  const times = spent(
    new Map([['old', 100]]),
    new Map([
      ['old', 130],
      ['new', 20],
    ]),
  );
  expect([...times]).toEqual([
    ['old', 30],
    ['new', 20],
  ]);
  expect(total(times)).toBe(50);
});

/** Polls per second and microseconds by thread of each subject. */
const figures: Record<SubjectName, { requestsPerSecond: number; perPoll: [string, number][] }> = {
  service: {
    requestsPerSecond: 1_000,
    perPoll: [
      ['MainThread', 300],
      ['get-confirmatio', 400],
      ['V8Worker', 90],
      ['java', 200],
      ['esbuild', 10],
    ],
  },
  token: { requestsPerSecond: 750, perPoll: [['MainThread', 300]] },
  ciba: { requestsPerSecond: 5_000, perPoll: [['MainThread', 110]] },
  handler: { requestsPerSecond: 11_000, perPoll: [['MainThread', 50]] },
  tokenHandler: { requestsPerSecond: 9_000, perPoll: [['MainThread', 60]] },
  gateway: { requestsPerSecond: 15_000, perPoll: [['MainThread', 30]] },
};

const roundsOf = (factor: number): Round[] =>
  [true, false].flatMap((keepAlive) =>
    subjectNames.map((name) => ({
      name,
      keepAlive,
      requests: 1,
      requestsPerSecond: figures[name].requestsPerSecond * factor,
      p50: 1,
      p99: 2,
      perPoll: new Map(figures[name].perPoll),
    })),
  );
const rounds = [0.5, 1, 2].flatMap(roundsOf);
const size = { rounds: 3, seconds: 4, connections: 10 };

test('the summary of a subject has the medians of its rounds', () => {
  expect(summarise(rounds, 'ciba', true)).toEqual({
    requestsPerSecond: 5_000,
    p50: 1,
    p99: 2,
    perPoll: new Map([['MainThread', 110]]),
  });
});

describe('the time of a poll', () => {
  const summaries = {
    service: summarise(rounds, 'service', true),
    handler: summarise(rounds, 'handler', true),
    gateway: summarise(rounds, 'gateway', true),
  };

  test('is split into parts without a remainder; parts that run alone are subtracted', () => {
    const parts = partsOf(summaries);
    expect(parts.map(({ microseconds }) => microseconds)).toEqual([30, 270, 20, 380, 90, 200, 10]);
    expect(parts.reduce((sum, { microseconds }) => sum + microseconds, 0)).toBe(1_000);
  });

  test('has no parts if the system does not show any', () => {
    const unknown = { requestsPerSecond: 1, p50: 1, p99: 1, perPoll: new Map<string, number>() };
    expect(partsOf({ service: unknown, handler: unknown, gateway: unknown })).toEqual([]);
  });
});

describe('the report', () => {
  const headersOf = (report: string): string[] =>
    report
      .split('\n')
      .filter((line) => /^\| (polled|part)/.test(line))
      .map((line) => line.replaceAll(/\s+/g, ' '));

  test('says for each comparison whether its goal is reached', () => {
    const report = render(rounds, size);
    expect(report).toMatch(/the whole service, keep-alive: \*\*0\.20 times\*\*.*not reached/);
    expect(report).toMatch(/CIBA by CIBA from memory, keep-alive: \*\*1\.80 times\*\*.*not reached/);
    expect(report).toMatch(/the whole service by CIBA, keep-alive: \*\*0\.15 times\*\*.*not reached/);
    expect(report).toMatch(/like for like, both from memory, keep-alive: \*\*2\.20 times\*\*.*CIBA, reached/);
    expect(report).toMatch(/10 connections, medians of 3 rounds of 4 s each/);
  });

  test('has the same columns as docs/performance.md', async () => {
    const block = blockOf(await readFile(documentPath, 'utf8'), 'bench:api') ?? '';
    if (block !== '') expect(headersOf(block)).toEqual(headersOf(render(rounds, size)));
  });
});
