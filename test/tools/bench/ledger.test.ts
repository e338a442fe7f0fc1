import { expect, test } from '@jest/globals';
import { render } from '../../../tools/bench/ledger/report.ts';

const reportOf = (whole: number): string =>
  render({
    figures: {
      ledger: [
        {
          what: '14 days',
          seconds: 0.5,
          requests: 2,
          cpu: 0.25,
          calls: 1_234,
          bytes: 2_500_000,
          ownCpu: 0.1,
        },
      ],
      replays: [
        { way: 'before', events: 50_000, portions: 2, reading: 1, whole: 2, cpu: 1 },
        { way: 'now', events: 50_000, portions: 2, reading: 1.5, whole, cpu: 1.5 },
      ],
      filled: { events: 1_100_000, seconds: 800 },
      rss: { service: 200e6, consumer: 400e6 },
    },
    at: new Date('2026-11-22T21:00:00Z'),
    load: 1,
  }).replaceAll(/ +/g, ' ');

test('the report has a row for each request', () => {
  expect(reportOf(2)).toContain('| 14 days | 0.50 | 2 | 0.25 | 0.10 | 1,234 | 2.5 |');
  expect(reportOf(2)).toContain('has 1,100,000 stored events');
});

test.each([
  [3, '1.50', '1.25', 'met'],
  [3.2, '1.60', '1.30', 'missed'],
])('the report says whether replays meet the goal: %d s beside 2', (whole, asFast, ratio, verdict) => {
  expect(reportOf(whole)).toContain(`Reading, packing and sending takes ${asFast} times as long as before.`);
  expect(reportOf(whole)).toContain(`With that, a replay takes ${ratio} times as long.`);
  expect(reportOf(whole)).toContain(`at most 1.25, is ${verdict}.`);
});
