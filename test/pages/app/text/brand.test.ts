import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seenOn, textOn } from '../../../../packages/website/src/brand-colors.ts';
import { contrastOf } from '../../../support/contrast.ts';
import { logoPathOf } from '#ui/logo-path.ts';

describe("a text on a brand's colour", () => {
  const hex = (number: number): string => `#${number.toString(16).padStart(6, '0')}`;

  test('has the contrast of WCAG AA on every colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        expect(contrastOf(textOn(hex(number)), hex(number))).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has it on every grey, where black and white change over', () => {
    for (let level = 0; level < 256; level += 1) {
      const grey = hex(level * 0x010101);
      expect([grey, contrastOf(textOn(grey), grey) >= 4.5]).toEqual([grey, true]);
    }
  });
});

describe("a brand's colour in the elements", () => {
  const hex = (number: number): string => `#${number.toString(16).padStart(6, '0')}`;

  test('is seen on white and on black, and text on it can be read, whatever colour it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const accent = seenOn(hex(number));
        expect(accent).toMatch(/^#[\da-f]{6}$/);
        expect(contrastOf(accent, '#ffffff')).toBeGreaterThanOrEqual(3);
        expect(contrastOf(accent, '#000000')).toBeGreaterThanOrEqual(3);
        expect(contrastOf(textOn(accent), accent)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['#000000', '#ffffff', '#ffff00', '#0000ff', '#00ffff'])(
    'is kept as near as possible: %s',
    (color) => {
      const accent = seenOn(color);
      expect([contrastOf(accent, '#ffffff') >= 3, contrastOf(accent, '#000000') >= 3]).toEqual([true, true]);
    },
  );

  test('stays as it is if it is seen', () => {
    expect(seenOn('#0b7f76')).toBe('#0b7f76');
  });
});

describe('a logo', () => {
  test("is loaded from the app's own origin, whatever host its address names", () => {
    const path = '/omi/device/tenants/6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01/logo';
    expect(logoPathOf({ name: 'Bank', logoUrl: `https://omi.example${path}` })).toBe(path);
  });

  test.each([
    undefined,
    '',
    'logo',
    'https://omi.example/omi/device',
    'https://omi.example/omi/device/tenants/a/logo/../../..',
  ])('is nothing else: %s', (logoUrl) => {
    expect(logoPathOf({ name: 'Bank', ...(logoUrl !== undefined && { logoUrl }) })).toBeUndefined();
  });
});
