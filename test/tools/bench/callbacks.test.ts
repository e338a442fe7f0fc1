import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Receiver } from '../../../tools/bench/callbacks/receiver.ts';
import { render } from '../../../tools/bench/callbacks/report.ts';
import { blockOf, documentPath } from '../../../tools/bench/report/document.ts';

describe('the report', () => {
  const reportOf = (slowest: number, alone = 100): string =>
    render({
      rounds: [
        { scene: 'alone', times: [10, 20, 100] },
        { scene: 'besides', times: [10, 30, slowest] },
        { scene: 'besides', times: [12, 14, 90] },
        { scene: 'alone', times: [11, 21, alone] },
      ],
      plan: { rounds: 2, waves: 1, receivers: 3 },
      at: new Date('2026-11-22T11:00:00Z'),
      load: 1.5,
    });
  const rowOf = (report: string, label: string): string | undefined =>
    report
      .split('\n')
      .find((line) => line.startsWith(`| ${label} `))
      ?.replaceAll(/\s+/g, ' ');

  test('has the times of both kinds of rounds', () => {
    const report = reportOf(109);
    expect(report).toContain('2026-11-22. Load average 1.5.');
    expect(rowOf(report, 'alone')).toBe('| alone | 6 | 21 | 100 | 100, 100 |');
    expect(rowOf(report, 'with a dead one')).toBe(
      '| with a dead one and a slow one besides | 6 | 22 | 109 | 109, 90 |',
    );
  });

  test.each([
    [109, '1.09', 'The goal, less than 1.10, is met.'],
    [110, '1.10', 'The goal, less than 1.10, is missed.'],
  ])('says whether the goal is met: %i', (slowest, ratio, verdict) => {
    const report = reportOf(slowest);
    expect(report).toContain(`is ${ratio} of the p99 alone.`);
    expect(report).toContain(verdict);
  });

  test('says nothing about the goal if rounds of the same kind are far apart', () => {
    const report = reportOf(100, 151);
    expect(report).toContain('a factor of up to 1.51. That is too far to tell');
    expect(report).not.toMatch(/is (met|missed)\. No/);
  });
});

describe('a receiver', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const call = async (challengeId: string): Promise<number> => {
    const timestamp = new Date(Date.now() - 5_000).toISOString();
    const body = JSON.stringify({ timestamp, data: { challengeId } });
    return (await fetch(receiver.url, { method: 'POST', body })).status;
  };

  test('knows how long the first callback took', async () => {
    expect(receiver.arrival('one')).toBeUndefined();
    expect(await call('one')).toBe(204);
    const arrival = receiver.arrival('one');
    expect(arrival).toBeGreaterThanOrEqual(5_000);
    await call('one');
    expect(receiver.arrival('one')).toBe(arrival);
    expect(receiver.isAnswered('one')).toBe(true);
  });

  test('answers after a failure once it has recovered', async () => {
    receiver.delay = Infinity;
    const called = call('one');
    while (receiver.arrival('one') === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(receiver.isAnswered('one')).toBe(false);
    receiver.recover();
    expect(await called).toBe(204);
    expect(await call('two')).toBe(204);
  });
});

test('docs/performance.md has the figures', () => {
  const block = blockOf(readFileSync(documentPath, 'utf8'), 'bench:callbacks');
  expect(block).toMatch(/^\| alone .*\d/m);
  expect(block).toContain('of the p99 alone');
});
