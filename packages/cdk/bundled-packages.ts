/** Other people's code in the bundles of `@omi/cdk`, with its licences, which must go with it. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The pages are built elsewhere, by several tools. Here only their modules are of interest. */
async function modulesOfPages(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['pages/app/src/main.tsx', 'pages/exports/src/main.tsx', 'packages/elements/src/index.ts'],
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    format: 'esm',
    outdir: 'out',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  return metafile;
}

/** @returns the text of a file `NOTICE` */
export async function bundledPackages(metafiles: readonly Metafile[]): Promise<string> {
  const all = [...metafiles, await modulesOfPages()];
  const paths = all.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(paths.flatMap((path) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const byLicence = new Map<string, string[]>();
  for (const folder of [...folders].toSorted()) {
    const { title, licence } = await packageIn(`${root}${folder}`);
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), title]);
  }
  const parts = [...byLicence].map(([licence, titles]) => `${titles.join('\n')}\n\n${licence}`);
  return ['@omi/cdk contains these packages, under the licences below each list.', ...parts].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

type Manifest = { name: string; version: string; license?: string };

/** A package without a file of its licence names the licence. */
async function packageIn(folder: string): Promise<{ title: string; licence: string }> {
  if (!existsSync(folder)) throw new Error(`${folder} is missing.`);
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as Manifest;
  const { name, version, license = '' } = manifest;
  if (license === '') throw new Error(`${name} names no licence.`);
  const file = (await readdir(folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  const text = file === undefined ? '' : await readFile(`${folder}/${file}`, 'utf8');
  const licence = text === '' ? 'These packages have no text of their licence.' : text.trim();
  return { title: `${name} ${version} (${license})`, licence };
}
