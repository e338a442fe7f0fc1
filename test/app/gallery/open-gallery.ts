import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';

export type Gallery = {
  /** Builds the whole, of which the gallery takes the styles. */
  build: (folder: string) => Promise<{ firstLoad: string[] }>;
  script: string;
  /** The id of the element in which screens are shown. */
  root: string;
};

/** All states of an app on one page, which `gallery.show(name, …)` changes. */
export async function openGallery(
  context: BrowserContext,
  folder: string,
  { build: buildWhole, script, root }: Gallery,
): Promise<Page> {
  const { firstLoad } = await buildWhole(folder);
  const style = firstLoad.find((path) => path.endsWith('.css')) ?? '';
  const { outputFiles } = await build({
    entryPoints: [script],
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const page = await context.newPage();
  await page.route('**/*', async (route) => {
    await route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="${root}"></div></body></html>`,
    });
  });
  await page.goto('http://localhost/');
  await page.addStyleTag({ content: readFileSync(join(folder, style), 'utf8') });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  return page;
}
