import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accentIn, stageSheet } from '#ui/stage/colors.ts';
import { contrastOf } from '../../../support/contrast.ts';

/** The grounds of `packages/ui/src/styles/tokens.css` on which the accent is read. */
const grounds = { light: ['#ffffff', '#f4f6f8', '#eceff3'], dark: ['#192027', '#0f1419', '#222b34'] };
const surfaces = { light: '#ffffff', dark: '#192027' };

/** `color-mix(in srgb, …)` of two colours. */
function mixed(one: string, percent: number, other: string): string {
  const [of, into] = [one, other].map((color) => Buffer.from(color.slice(1), 'hex'));
  const bytes = [0, 1, 2].map((at) =>
    Math.round(((of?.[at] ?? 0) * percent + (into?.[at] ?? 0) * (100 - percent)) / 100),
  );
  return `#${Buffer.from(bytes).toString('hex')}`;
}

test.each(['light', 'dark'] as const)(
  'the colour of a stage keeps the contrast of WCAG AA in %s, whatever it is',
  (scheme) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const { accent, strong, on, wash } = accentIn(scheme, `#${number.toString(16).padStart(6, '0')}`);
        const percent = Number(/ (\d+)%/.exec(wash)?.[1]);
        const all = [...grounds[scheme], mixed(accent, percent, surfaces[scheme])];
        for (const ground of all) expect(contrastOf(accent, ground)).toBeGreaterThanOrEqual(4.5);
        for (const ground of [accent, strong]) expect(contrastOf(on, ground)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
  },
);

test('the sheet has the tokens of both schemes', () => {
  const sheet = stageSheet('#ffd400');
  expect(sheet.match(/--accent: #[\da-f]{6};/g)).toHaveLength(2);
  expect(sheet).toContain('prefers-color-scheme: dark');
});
