import { expect, test } from '@jest/globals';
import type { GalleryPage } from './gallery-page.ts';

/**
 * What every state of every page keeps to.
 *
 * @param options `examined`: the states that have what no other one has, as axe takes a second for each; `width`: of the window
 *   in which most users meet them
 */
export function testStates(
  gallery: () => GalleryPage,
  {
    examined,
    width,
    languages = ['en'],
  }: { examined: readonly string[]; width: number; languages?: readonly string[] },
): void {
  test('has no fault that axe finds', async () => {
    await gallery().set({ width });
    await gallery().expectAccessible(examined);
  });

  test('has enough contrast in dark colours', async () => {
    await gallery().set({ width: 390, colorScheme: 'dark' });
    await gallery().expectAccessible(examined, ['color-contrast']);
  });

  test('has one heading, and names the window after it', async () => {
    await gallery().set({ width: 390 });
    await gallery().expectNamed();
  });

  test('has controls of 44 pixels or more', async () => {
    await gallery().set({ width: 390 });
    for (const { name, small } of await gallery().inspect()) expect([name, small]).toEqual([name, []]);
  });

  test('has enough contrast in forced colours, and controls with an edge', async () => {
    await gallery().set({ width: 390, forcedColors: 'active' });
    await gallery().expectAccessible(examined, ['color-contrast']);
    for (const { name, edgeless } of await gallery().inspect()) expect([name, edgeless]).toEqual([name, []]);
  });

  test.each([360, 768, 1_440])('fits a window of %i pixels', async (pixels) => {
    await gallery().set({ width: pixels });
    for (const { name, width: needed } of await gallery().inspect())
      expect([name, needed]).toEqual([name, pixels]);
  });

  test.each(
    languages.flatMap((language) => [
      { what: 'a window of 320 pixels', pixels: 320, style: '', language },
      {
        what: 'a window with text of twice the size',
        pixels: 640,
        style: 'html { font-size: 200% !important }',
        language,
      },
    ]),
  )('fits $what, in $language', async ({ pixels, style, language }) => {
    await gallery().set({ width: pixels, style, language });
    for (const { name, width: needed, text } of await gallery().inspect()) {
      expect([name, needed]).toEqual([name, pixels]);
      expect(text).not.toMatch(/undefined|\[object|NaN|Invalid Date/);
    }
  });
}
