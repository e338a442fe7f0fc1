import { cp, mkdir, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPage, type PageBuild, pageOptions } from '../../tools/bundling/page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'pages/bank/page');

/** The packages, by the names under which the page imports them. */
const packages = {
  'omi-elements': 'packages/elements/src/index.ts',
  'omi-website': 'packages/website/src/index.ts',
};

/** What a browser can show. The rest is for editors, such as the configuration of the type checker. */
const served = ['.html', '.js', '.png', '.svg'];

/**
 * Builds the demo bank's files into a folder. The page's own scripts have no build step: they are copied as they are. The phone
 * in the page is the web app.
 */
export async function buildSite(outdir: string): Promise<{ phone: PageBuild }> {
  await mkdir(outdir, { recursive: true });
  const [phone] = await Promise.all([
    buildPage(join(outdir, 'phone'), {
      script: 'pages/app/src/phone/main.ts',
      style: 'pages/app/src/styles/app.css',
      template: join(root, 'pages/bank/phone.html'),
    }),
    copyPage(outdir),
    bundlePackages(join(outdir, 'assets')),
  ]);
  return { phone };
}

async function copyPage(outdir: string): Promise<void> {
  const entries = await readdir(page, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && served.includes(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      await cp(file, join(outdir, file.slice(page.length)));
    }),
  );
}

async function bundlePackages(outdir: string): Promise<void> {
  await build({
    ...pageOptions,
    entryPoints: { ...packages, page: 'pages/bank/page/styles/page.css' },
    outdir,
    format: 'esm',
  });
}
