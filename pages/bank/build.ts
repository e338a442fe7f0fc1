import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPage, type PageBuild, pageOptions } from '../../bundling/page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'pages/bank/page');

/** Builds the demo bank's files into a folder: the page with one script and one style, and the phone in it, which is the web app. */
export async function buildSite(outdir: string): Promise<{ phone: PageBuild }> {
  await mkdir(outdir, { recursive: true });
  const [phone] = await Promise.all([
    buildPage(join(outdir, 'phone'), {
      script: 'pages/app/src/phone/main.ts',
      style: 'pages/app/src/styles/app.css',
      template: join(root, 'pages/bank/phone.html'),
    }),
    ...['index.html', 'icon.svg'].map(async (name) => await cp(join(page, name), join(outdir, name))),
    bundle(join(outdir, 'assets')),
  ]);
  return { phone };
}

/** Without splitting: the page is there after one request for all its scripts. */
async function bundle(outdir: string): Promise<void> {
  await build({
    ...pageOptions,
    entryPoints: ['pages/bank/page/main.js', 'pages/bank/page/styles/page.css'],
    entryNames: 'page',
    outdir,
    format: 'esm',
  });
}
