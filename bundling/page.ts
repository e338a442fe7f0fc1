import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** How the pages of an origin of their own are built. */
export const pageOptions = {
  bundle: true,
  absWorkingDir: root,
  platform: 'browser' as const,
  // The oldest browsers with all that the web app needs: push on iOS, passkeys, and modules in which `import()` works.
  target: ['chrome110', 'firefox115', 'safari16.4'],
  minify: true,
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
  metafile: true as const,
} satisfies BuildOptions;

/** Paths from the root of the repository; the template's is complete. */
export type PageSource = { script: string; style: string; template: string };

export type PageBuild = {
  /** Paths of all files at the page's origin, such as `/index.html`. */
  files: string[];
  /** What a browser loads before the first screen, without icons. */
  firstLoad: string[];
  metafile: Metafile;
};

/** Builds hashed assets into `assets/`, and `index.html` with their names. */
export async function buildPage(
  outdir: string,
  { script: entry, style: styleEntry, template }: PageSource,
): Promise<PageBuild> {
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    ...pageOptions,
    entryPoints: [entry, styleEntry],
    outdir,
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
  });
  const script = outputOf(metafile, entry);
  const style = outputOf(metafile, styleEntry);
  const page = await readFile(template, 'utf8');
  await writeFile(join(outdir, 'index.html'), page.replace('%SCRIPT%', script).replace('%STYLE%', style));
  const firstLoad = ['/index.html', style, ...staticImportsOf(metafile, script)];
  return { files: await filesOf(outdir), firstLoad, metafile };
}

/** The path of an entry's output at the page's origin. */
function outputOf(metafile: Metafile, entry: string): string {
  const output = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (!output) throw new Error(`${entry} has no output`);
  return `/assets/${basename(output[0])}`;
}

function staticImportsOf(metafile: Metafile, script: string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const output = Object.entries(metafile.outputs).find(([path]) => basename(path) === basename(name));
    for (const { path, kind } of output?.[1].imports ?? [])
      if (kind === 'import-statement') visit(`/assets/${basename(path)}`);
  };
  visit(script);
  return [...found];
}

/** The paths of all files of a folder, as an origin serves them. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .toSorted();
}
