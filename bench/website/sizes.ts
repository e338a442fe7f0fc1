import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildElements, type Size } from '../../packages/elements/build.ts';

/** Bytes of everything that a module exports, in a minified bundle, compressed by gzip. */
async function bundledBytes(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'neutral',
  });
  return outputFiles.reduce((sum, { contents: code }) => sum + gzipSync(code, { level: 9 }).length, 0);
}

/** What a page loads with a script tag. */
export type BuiltElements = { code: Uint8Array; sizes: Size[] };

export async function builtElements(): Promise<BuiltElements> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-elements-'));
  try {
    const sizes = await buildElements(folder);
    return { sizes, code: await readFile(join(folder, 'omi-elements.js')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** By what is measured. A page loads one language besides English, if any. */
export async function packageSizes({ sizes }: Pick<BuiltElements, 'sizes'>): Promise<Record<string, number>> {
  const sizeOf = (name: string): number => sizes.find(({ file }) => file === name)?.bytes ?? Number.NaN;
  return {
    '`@omi/website`, all of it': await bundledBytes("export * from '#website';"),
    '`Omi` alone': await bundledBytes("export { Omi } from '#website';"),
    '`<omi-confirmation>` alone': sizeOf('omi-confirmation.js'),
    '`<omi-enrolment>` alone': sizeOf('omi-enrolment.js'),
    'both elements in one file': sizeOf('omi-elements.js'),
  };
}
