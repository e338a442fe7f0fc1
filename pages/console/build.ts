import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage, filesOf, type PageBuild } from '../../bundling/page.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Builds the help desk's page into a folder: hashed assets, `index.html` and the icon. */
export async function buildConsole(outdir: string): Promise<Pick<PageBuild, 'files' | 'firstLoad'>> {
  const { firstLoad } = await buildPage(outdir, {
    script: 'pages/console/src/main.tsx',
    style: 'pages/console/src/styles/page.css',
    template: fromRoot('pages/console/index.html'),
  });
  await cp(fromRoot('pages/console/icons'), join(outdir, 'icons'), { recursive: true });
  return { files: await filesOf(outdir), firstLoad };
}
