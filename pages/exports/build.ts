import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage, filesOf, type PageBuild } from '../../bundling/page.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Builds the page for tenants into a folder: hashed assets, `index.html` and the icon. Tests of its parts name another script. */
export async function buildExportsPage(
  outdir: string,
  { script = 'pages/exports/src/main.tsx' } = {},
): Promise<Pick<PageBuild, 'files' | 'firstLoad'>> {
  const { firstLoad } = await buildPage(outdir, {
    script,
    style: 'pages/exports/src/styles/page.css',
    template: fromRoot('pages/exports/index.html'),
  });
  await cp(fromRoot('pages/exports/icons'), join(outdir, 'icons'), { recursive: true });
  return { files: await filesOf(outdir), firstLoad };
}
