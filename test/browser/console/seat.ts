/** A member of staff at the help desk's page, in any browser. */
import type { Page } from 'puppeteer-core';
import { lookByAxe, rulesOfAxe } from '#ui/testing/axe.ts';
import { expect } from '@jest/globals';
import * as firefox from '../../support/browser/firefox.ts';
import type { Visitor } from '../../support/browser/visitor.ts';

/** Names are what a screen reader says, and exact. */
export type Seat = {
  opens: (url: string) => Promise<void>;
  clicks: (name: string) => Promise<void>;
  fills: (label: string, text: string) => Promise<void>;
  chooses: (label: string, value: string) => Promise<void>;
  sees: (heading: string) => Promise<void>;
  reads: (text: string) => Promise<void>;
  waitsForField: (label: string) => Promise<void>;
  tabsTo: (name: string) => Promise<void>;
  types: (text: string) => Promise<void>;
  presses: (key: 'Enter') => Promise<void>;
  html: () => Promise<string>;
  /** Whether a part of the page has this name. */
  has: (region: string) => Promise<boolean>;
  examines: (name: string) => Promise<void>;
};

export function inChromium(visitor: Visitor): Seat {
  const { page } = visitor;
  const named = (name: string) =>
    page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }));
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    opens: async (url) => void (await page.goto(url)),
    clicks: async (name) => await named(name).click(),
    fills: async (label, text) => await field(label).fill(text),
    chooses: async (label, value) => void (await field(label).selectOption(value)),
    sees: async (heading) => await visitor.sees(heading),
    reads: async (text) => await visitor.reads(text),
    waitsForField: async (label) => await field(label).waitFor(),
    tabsTo: async (name) => await visitor.tabsTo(named(name).or(field(name))),
    types: async (text) => await page.keyboard.insertText(text),
    presses: async (key) => await page.keyboard.press(key),
    html: async () => await page.content(),
    has: async (region) => (await page.getByRole('region', { name: region }).count()) > 0,
    examines: async (name) => await visitor.examines(name),
  };
}

export function inFirefox(page: Page): Seat {
  return {
    opens: async (url) => void (await page.goto(url)),
    clicks: async (name) => await firefox.clicks(page, name),
    fills: async (label, text) => {
      await (await firefox.fieldOf(page, label)).focus();
      await page.keyboard.type(text);
    },
    chooses: async (label, value) => {
      const field = await firefox.fieldOf(page, label);
      const id = await field.evaluate((select) => (select as unknown as { id: string }).id);
      await page.select(`#${id}`, value);
    },
    sees: async (heading) => void (await firefox.sees(page, heading)),
    reads: async (text) => void (await firefox.reads(page, text)),
    waitsForField: async (label) => void (await firefox.fieldOf(page, label)),
    tabsTo: async (name) => await firefox.tabsTo(page, name),
    types: async (text) => await page.keyboard.type(text),
    presses: async (key) => await page.keyboard.press(key),
    html: async () => await page.content(),
    has: async (region) =>
      (await page.evaluate(
        `[...document.querySelectorAll('section[aria-label], section[aria-labelledby]')].some((one) =>
          (one.ariaLabel ?? document.getElementById(one.getAttribute('aria-labelledby'))?.textContent) === ${JSON.stringify(region)})`,
      )) === true,
    // The pictures are those of Chromium.
    examines: async () => {
      const { kept, faults } = await lookByAxe(page, rulesOfAxe);
      expect(faults).toEqual([]);
      expect(kept).toBeGreaterThanOrEqual(10);
    },
  };
}
