import axe from 'axe-core';

/** A page of Playwright or of Puppeteer. */
type Scripted = { evaluate: (script: string) => Promise<unknown> };

/** WCAG 2.2 AA, and what axe holds for good practice. */
export const rulesOfAxe = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export type Look = {
  /** Each a rule with the elements that break it. */
  faults: string[];
  /** How many rules the page keeps. */
  kept: number;
};

/**
 * Loads axe into the page, which has `lookByAxe(runOnly)` from then on. Only once for a document: half a megabyte of script
 * takes several times as long to load as all its rules to run.
 */
export async function loadAxe(page: Scripted): Promise<void> {
  if (await page.evaluate("typeof lookByAxe === 'function'")) return;
  await page.evaluate(axe.source);
  await page.evaluate(`globalThis.lookByAxe = async (runOnly) => {
    // Each document by itself: what is unique in a page may be in its frames once more.
    const options = { iframes: false, resultTypes: ['violations'], ...(runOnly && { runOnly }) };
    const { violations, passes } = await axe.run(document, options);
    const htmlOf = ({ nodes }) => nodes.map(({ html }) => html).join(' ');
    return { faults: violations.map((found) => found.id + ': ' + htmlOf(found)), kept: passes.length };
  }`);
}

/** @param runOnly tags or rules of axe; all that are on by default, unless some are named */
export async function lookByAxe(page: Scripted, runOnly?: readonly string[]): Promise<Look> {
  await loadAxe(page);
  return (await page.evaluate(`lookByAxe(${JSON.stringify(runOnly)})`)) as Look;
}
