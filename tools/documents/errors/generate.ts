/**
 * Writes the page of errors, or with --check fails if it is not what would be written:
 *
 *     node tools/documents/errors/generate.ts [--check] [page]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorsPage } from './page.ts';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const [file = join(import.meta.dirname, '../../../docs/errors.md')] = positionals;

const text = errorsPage();
if (!values.check) await writeFile(file, text);
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error(`${file} is not what its sources say: run npm run docs:generate.`);
  process.exitCode = 1;
}
