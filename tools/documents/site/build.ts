/**
 * Builds the docs site into `docs/.vitepress/dist`:
 *
 *     npm run docs:site [-- <folder>]
 *
 * DOCS_ROOT is the path of all versions (default `/`), DOCS_VERSION that which is built (default `main`), and DOCS_VERSIONS names
 * those that the chooser offers.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vitepress';
import { assemble } from './assemble.ts';
import { root } from './reader-paths.ts';
import { editionOf, versionsFile } from './versions.ts';

const docs = join(root, 'docs');
const [outDir = join(docs, '.vitepress/dist')] = process.argv.slice(2);

await assemble(join(docs, '.vitepress/pages'));
await build(docs, { outDir });
const { versions } = editionOf(process.env);
await writeFile(join(outDir, versionsFile), `${JSON.stringify(versions, null, 2)}\n`);
