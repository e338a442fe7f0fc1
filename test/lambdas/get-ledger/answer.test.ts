import { expect, test } from '@jest/globals';
import type { LedgerHour } from '../../../core/export/ledger/hour-count.ts';
import { ledgerAnswer } from '../../../lambdas/get-ledger/answer.ts';

const largest = 5_000_000;

const sum = { count: 1, digest: 'a'.repeat(64) };
const hourOf = (type: string): LedgerHour => ({
  ...sum,
  hour: '2026-03-01T09:00:00Z',
  types: { [type]: sum },
  final: true,
});
const bytesOfOthers = Buffer.byteLength(JSON.stringify({ hours: [hourOf('')] }));

test('an answer may be as large as a response of Lambda', () => {
  const hours = [hourOf('x'.repeat(largest - bytesOfOthers))];
  expect(ledgerAnswer(hours)).toMatchObject({ statusCode: 200, body: JSON.stringify({ hours }) });
});

test('a larger answer is refused, however few characters it has', () => {
  const hours = [hourOf('ä'.repeat((largest - bytesOfOthers) / 2 + 1))];
  expect(() => ledgerAnswer(hours)).toThrow(
    expect.objectContaining({
      code: 'invalid-request',
      options: { errors: [expect.objectContaining({ pointer: '#/query/to' })] },
    }),
  );
});
