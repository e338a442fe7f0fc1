import { describe, expect, test } from '@jest/globals';
import { type FieldFault, refusalOf } from '../../../core/kernel/refusal.ts';

/** So many faults, and a count of those that were asked for. */
function faults(count: number) {
  const asked = { count: 0 };
  function* found(): Generator<FieldFault, void> {
    for (let index = 0; index < count; index += 1) {
      asked.count += 1;
      yield { pointer: `/${index}`, detail: 'expected no such member' };
    }
  }
  return { asked, refusal: refusalOf(found()) };
}

const told = ({ refusal }: ReturnType<typeof faults>) => ({
  detail: refusal?.message,
  listed: refusal?.options.errors?.length,
});

describe('a request', () => {
  test('is not rejected without a fault', () => {
    expect(faults(0).refusal).toBeUndefined();
  });

  test.each([
    [1, 'The request has 1 fault.'],
    [2, 'The request has 2 faults.'],
    [100, 'The request has 100 faults.'],
  ])('is rejected with each of %d faults', (count, detail) => {
    expect(told(faults(count))).toEqual({ detail, listed: count });
  });

  test.each([101, 80_000])(
    'is rejected with the first 100 of %d faults, and the number of the others',
    (count) => {
      const given = faults(count);
      const detail = `The request has ${count} faults: the first 100 are listed, ${count - 100} more are not.`;
      expect(told(given)).toEqual({ detail, listed: 100 });
      expect(given.refusal?.options.errors?.at(-1)?.pointer).toBe('/99');
    },
  );

  test('is checked only until the highest number of faults is counted', () => {
    const given = faults(Number.POSITIVE_INFINITY);
    expect(told(given)).toEqual({
      detail:
        'The request has at least 100000 faults: the first 100 are listed, at least 99900 more are not.',
      listed: 100,
    });
    expect(given.asked.count).toBe(100_000);
  });
});
