/**
 * Adds the schemas that are new to catalogue.json; fails where a published one has changed or is gone, and with --check
 * where one is not in the catalogue:
 *
 *     node docs/events/generate.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedSchemas, currentCatalogue, readCatalogue } from './published.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const file = join(import.meta.dirname, 'catalogue.json');

const current = currentCatalogue();
const changed = changedSchemas(readCatalogue(), current);

const text = `${JSON.stringify(current, null, 2)}\n`;

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}

if (changed.length > 0)
  fail(`Published schemas have changed: ${changed.join(', ')}. Add a version instead: see README.md.`);
else if (!values.check) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text)
  fail(`${file} is not what the schemas say: run npm run docs:generate.`);
