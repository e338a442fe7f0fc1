import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { buildApp } from '../../../app/build.ts';

/** All states of the app on one page, which `gallery.show(name, language)` changes. */
export async function openGallery(context: BrowserContext, folder: string): Promise<Page> {
  const { firstLoad } = await buildApp(folder);
  const style = firstLoad.find((path) => path.endsWith('.css')) ?? '';
  const { outputFiles } = await build({
    entryPoints: ['test/app/gallery/gallery.tsx'],
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
      body: '<!doctype html><html><head><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="app"></div></body></html>',
    });
  });
  await page.goto('http://localhost/');
  await page.addStyleTag({ content: readFileSync(join(folder, style), 'utf8') });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  return page;
}
