import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textOn } from '../../../../pages/app/src/text/brand-colors.ts';
import { logoPathOf } from '../../../../pages/app/src/text/logo-path.ts';

/** WCAG 2.2, contrast ratio, written apart from the app. */
function contrastOf(one: string, other: string): number {
  const luminances = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = [...Buffer.from(color.slice(1), 'hex')].map((channel) =>
      channel / 255 <= 0.04045 ? channel / 255 / 12.92 : Math.pow((channel / 255 + 0.055) / 1.055, 2.4),
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

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
