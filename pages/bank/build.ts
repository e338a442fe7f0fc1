import { cp, mkdir, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = join(root, 'pages/bank/page');

/** The packages, by the names under which the page imports them. */
const packages = {
  'omi-device': 'packages/device/src/index.ts',
  'omi-elements': 'packages/elements/src/index.ts',
  'omi-website': 'packages/website/src/index.ts',
};

/** What a browser can show. The rest is for editors, such as the configuration of the type checker. */
const served = ['.css', '.html', '.js', '.png', '.svg'];

/** Builds the demo bank's files into a folder. The page's own files have no build step: they are copied as they are. */
export async function buildSite(outdir: string): Promise<void> {
  await mkdir(outdir, { recursive: true });
  await Promise.all([copyPage(outdir), bundlePackages(join(outdir, 'assets'))]);
}

async function copyPage(outdir: string): Promise<void> {
  const entries = await readdir(PAGE, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && served.includes(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      await cp(file, join(outdir, file.slice(PAGE.length)));
    }),
  );
}

async function bundlePackages(outdir: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: packages,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // As for the web app: a phone is drawn in the page.
    target: ['chrome110', 'firefox115', 'safari16.4'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}
