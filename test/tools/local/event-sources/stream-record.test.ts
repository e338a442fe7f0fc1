import { expect, test } from '@jest/globals';
import { lambdaRecordOf } from '../../../../tools/local/event-sources/stream-record.ts';

const place = { arn: 'arn', region: 'eu-central-1' };
const minute = 60_000;
const thisMinute = Math.floor(Date.now() / minute) * minute;

const toldAs = (told: number): number =>
  lambdaRecordOf({ dynamodb: { ApproximateCreationDateTime: new Date(told) } }, place).dynamodb
    ?.ApproximateCreationDateTime ?? 0;

test('a truncated time gets the second of the reading', () => {
  const before = Math.floor(Date.now() / 1_000);
  const second = toldAs(thisMinute);
  // Unless a minute began in between.
  expect(second).toBeGreaterThanOrEqual(Math.min(before, thisMinute / 1_000 + 59));
  expect(second).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000));
});

test('the time stays within its minute, and a time with seconds is unchanged', () => {
  expect(toldAs(thisMinute - 5 * minute)).toBe((thisMinute - 4 * minute) / 1_000 - 1);
  expect(toldAs(thisMinute + 5 * minute)).toBe((thisMinute + 5 * minute) / 1_000);
  expect(toldAs(thisMinute - 7_000)).toBe((thisMinute - 7_000) / 1_000);
});
