import { beforeAll, expect } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { pageOptions } from '../../../bundling/page.ts';
import { loadAxe, type Look } from './axe.ts';

export type Gallery = {
  /** Runs in the page, and has `gallery.show(name, language)`. */
  script: string;
  style: string;
  /** The id of the element in which screens are shown. */
  root: string;
  /** All states. */
  names: readonly string[];
};

/** Texts in a language, in a window of a size. */
export type Setting = {
  width: number;
  height?: number;
  language?: string;
  colorScheme?: 'light' | 'dark';
  /** Active: the user's own few colours take the place of the page's. */
  forcedColors?: 'active' | 'none';
  /** Styles that are the user's own. */
  style?: string;
};

/** What a state looks like, as a user meets it. */
export type Inspected = {
  name: string;
  headings: string[];
  title: string;
  /** Wider than the window if something is cut off, or scrolls in two directions. */
  width: number;
  text: string;
  /** Controls that are smaller than 44 pixels. */
  small: string[];
  /** Buttons that only their colour would tell from text. */
  edgeless: string[];
};

declare const gallery: { show: (name: string, language: string) => Promise<void> };
declare const lookByAxe: (runOnly: readonly string[] | undefined) => Promise<Look>;

/** All states of an app on one page, one after the other. */
export class GalleryPage {
  readonly page: Page;
  readonly #names: readonly string[];
  #language = 'en';

  private constructor(page: Page, names: readonly string[]) {
    this.page = page;
    this.#names = names;
  }

  static async open(
    browser: Browser,
    { script, style, root, names }: Gallery,
    options: BrowserContextOptions = {},
  ): Promise<GalleryPage> {
    const { outputFiles } = await build({
      ...pageOptions,
      entryPoints: { script, style },
      write: false,
      outdir: 'out',
      format: 'iife',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    });
    const outputOf = (name: string): string =>
      outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
    const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
    await page.route('**/*', async (route) => {
      await route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="${root}"></div></body></html>`,
      });
    });
    await page.goto('http://localhost/');
    await page.addStyleTag({ content: outputOf('style.css') });
    await page.addScriptTag({ content: outputOf('script.js') });
    await loadAxe(page);
    return new GalleryPage(page, names);
  }

  async set(setting: Setting): Promise<void> {
    const {
      width,
      height = 780,
      language = 'en',
      colorScheme = 'light',
      forcedColors = 'none',
      style = '',
    } = setting;
    this.#language = language;
    await this.page.emulateMedia({ colorScheme, forcedColors });
    await this.page.setViewportSize({ width, height });
    await this.page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
    }, style);
  }

  /** Says what axe finds in which state. */
  async expectAccessible(names = this.#names, runOnly?: readonly string[]): Promise<void> {
    const looks = await this.#look(names, runOnly);
    expect(looks.filter(({ faults }) => faults.length > 0)).toEqual([]);
    // A look at nothing finds no fault either.
    expect(looks.filter(({ kept }) => kept === 0)).toEqual([]);
    expect(looks.map(({ name }) => name)).toEqual(names);
  }

  /** Each state has one heading, after which the window is named, and the name of the page behind it. */
  async expectNamed(): Promise<void> {
    for (const { name, headings, title } of await this.inspect()) {
      expect([name, headings]).toEqual([name, [expect.stringMatching(/./)]]);
      expect([name, title.startsWith(`${headings[0] ?? ''} – `), title.endsWith(' – ')]).toEqual([
        name,
        true,
        false,
      ]);
    }
  }

  async show(name: string): Promise<void> {
    await this.page.evaluate(
      async ([state = '', language = '']) => await gallery.show(state, language),
      [name, this.#language],
    );
  }

  /** Looks at every state. */
  async inspect(): Promise<Inspected[]> {
    return await this.page.evaluate(
      async ({ names, language }) => {
        const inspected: Inspected[] = [];
        for (const name of names) {
          await gallery.show(name, language);
          const headings = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent);
          const controls = document.querySelectorAll(
            'a:not(.skip), button, input:not([type=checkbox]), select, textarea, summary, .check',
          );
          const small = [...controls].filter((control) => {
            const { width, height } = control.getBoundingClientRect();
            return control.checkVisibility() && Math.min(width, height) < 44;
          });
          const edgeless = [...document.querySelectorAll('.button')].filter((button) => {
            const { borderTopStyle, borderTopWidth } = getComputedStyle(button);
            return button.checkVisibility() && (borderTopStyle === 'none' || borderTopWidth === '0px');
          });
          inspected.push({
            ...{ name, headings, title: document.title, text: document.body.innerText },
            ...{
              width: document.documentElement.scrollWidth,
              small: small.map(({ outerHTML }) => outerHTML),
              edgeless: edgeless.map(({ outerHTML }) => outerHTML),
            },
          });
        }
        return inspected;
      },
      { names: this.#names, language: this.#language },
    );
  }

  async #look(names: readonly string[], runOnly?: readonly string[]): Promise<(Look & { name: string })[]> {
    return await this.page.evaluate(
      async ({ all, rules, language }) => {
        const looks: (Look & { name: string })[] = [];
        for (const name of all) {
          await gallery.show(name, language);
          looks.push({ name, ...(await lookByAxe(rules)) });
        }
        return looks;
      },
      { all: names, rules: runOnly, language: this.#language },
    );
  }
}

/** The gallery of a file's tests. Each sets what it needs. */
export function useGallery(
  browser: () => Browser,
  all: Gallery,
  options?: BrowserContextOptions,
): () => GalleryPage {
  let page: GalleryPage | undefined;
  beforeAll(async () => {
    page = await GalleryPage.open(browser(), all, options);
  });
  return () => {
    if (!page) throw new Error('The gallery is not open');
    return page;
  };
}
