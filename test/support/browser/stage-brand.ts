import { expect } from '@jest/globals';
import { accentIn } from '#ui/stage/colors.ts';
import type { Visitor } from './visitor.ts';

const brand = {
  name: 'Example Confirm',
  color: '#ffd400',
  imprintUrl: 'https://www.example.com/imprint',
  privacyUrl: 'https://www.example.com/privacy',
};

/** The page of a stage with a brand. The local stack has none, so it is added to what the page reads of its stack. */
export async function givesItsStageABrand({ page }: Visitor): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), brand } });
  });
}

/** @param what the page is, behind the name of its stage */
export async function seesTheBrandOfTheStage(visitor: Visitor, what: string): Promise<void> {
  await visitor.page.getByRole('banner').getByText(`${brand.name} ${what}`).waitFor();
  await visitor.waitsFor(async () => (await visitor.page.title()).includes(` – ${brand.name}`), true);
  for (const [name, href] of [
    ['Imprint', brand.imprintUrl],
    ['Privacy', brand.privacyUrl],
  ] as const) {
    const link = visitor.page.getByRole('contentinfo').getByRole('link', { name });
    expect(await link.getAttribute('href')).toBe(href);
  }
  for (const scheme of ['light', 'dark'] as const) {
    await visitor.page.emulateMedia({ colorScheme: scheme });
    const accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent')";
    expect(await visitor.page.evaluate(accent)).toBe(accentIn(scheme, brand.color).accent);
    await visitor.expectAccessible(['color-contrast']);
  }
}
