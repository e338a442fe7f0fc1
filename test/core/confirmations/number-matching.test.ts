import { describe, expect, test } from '@jest/globals';
import { drawMatchNumbers, isSameNumber } from '../../../core/confirmations/number-matching.ts';

const draws = Array.from({ length: 300 });

describe('number matching', () => {
  test('needs no number when it is off', () => {
    expect(drawMatchNumbers('off')).toBeUndefined();
  });

  test('pick has 2 digits, at any position among 3 different choices', () => {
    const places = draws.map(() => {
      const { code, choices = [] } = drawMatchNumbers('pick') ?? { code: '' };
      expect(code).toMatch(/^\d\d$/);
      expect(new Set(choices).size).toBe(3);
      return choices.indexOf(code);
    });
    expect(new Set(places)).toEqual(new Set([0, 1, 2]));
  });

  test('type has 6 digits and no choices', () => {
    for (const drawn of draws.map(() => drawMatchNumbers('type'))) {
      expect(drawn).toEqual({ code: expect.stringMatching(/^\d{6}$/) });
    }
  });

  test('compares numbers as text', () => {
    expect(isSameNumber('07', '07')).toBe(true);
    expect(isSameNumber('07', '7')).toBe(false);
    expect(isSameNumber('07', '70')).toBe(false);
    expect(isSameNumber('07', '')).toBe(false);
  });
});
