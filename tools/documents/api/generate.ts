/**
 * Writes the 3.0 form of the OpenAPI document, or with --check fails where the file is not what would be written:
 *
 *     node tools/documents/api/generate.ts [--check] [file]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { openApiDocument } from './document.ts';
import { openApi30Document } from './openapi-3.0.ts';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const [file = join(import.meta.dirname, '../../../docs/api/openapi-3.0.yaml')] = positionals;

const note = '# Generated from openapi.yaml by tools/documents/api/generate.ts: run npm run docs:generate.\n';
const document = openApi30Document(openApiDocument);
const text = note + stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });

const written = async (): Promise<string> => await readFile(file, 'utf8').catch(() => '');

if (!values.check) await writeFile(file, text);
else if ((await written()) !== text) {
  console.error(`${file} is not what the OpenAPI document says: run npm run docs:generate.`);
  process.exitCode = 1;
}
