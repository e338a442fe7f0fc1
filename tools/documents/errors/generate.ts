/**
 * Writes the page of errors, and what the API's own pages say of each code; or with --check fails if they are not what would
 * be written:
 *
 *     node tools/documents/errors/generate.ts [--check]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorsPage, meanings } from './page.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });

const root = join(import.meta.dirname, '../../..');
const texts = {
  'docs/errors.md': errorsPage(),
  'lambdas/describe-problem/meanings.json': `${JSON.stringify(meanings, null, 2)}\n`,
};

for (const [path, text] of Object.entries(texts)) {
  const file = join(root, path);
  if (!values.check) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is not what its sources say: run npm run docs:generate.`);
    process.exitCode = 1;
  }
}
