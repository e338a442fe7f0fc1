/**
 * Adds the schemas that are new to catalogue.json, and writes samples.json. Fails where a published schema has changed or is gone, and
 * with --check where a file is not what would be written:
 *
 *     node tools/documents/events/generate.ts [--check] [folder]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  changedSchemas,
  currentCatalogue,
  readCatalogue,
  type Catalogue,
  readSchema,
} from '../../../core/events/schemas/published.ts';

type Sample = { version: string; payload: Record<string, unknown> };

/** The members that have ids of users. */
const userMembers = ['userId', 'members', 'confirmedBy'];

/** A sample is sent to real programs, so its users must be nobody's. */
const asTestUser = (user: unknown): unknown =>
  Array.isArray(user) ? user.map(asTestUser) : `${String(user)}@omi.test`;

/** A payload of each type of public event, from the example of its last version. */
const samplesOf = ({ payloads }: Catalogue): Record<string, Sample> =>
  Object.fromEntries(
    payloads.map(({ name, version, schema }) => {
      const [example] = readSchema(schema).examples ?? [];
      const members = Object.entries(example as Record<string, unknown>);
      const payload = members.map(([member, value]) => [
        member,
        userMembers.includes(member) ? asTestUser(value) : value,
      ]);
      return [name, { version, payload: Object.fromEntries(payload) as Record<string, unknown> }];
    }),
  );

/** With lists in one line, as the code is laid out. */
const samplesText = (catalogue: Catalogue): string =>
  JSON.stringify(samplesOf(catalogue), null, 2).replaceAll(
    /\[\n\s+([^[\]]*?)\n\s+\]/gu,
    (_, items: string) => `[${items.replaceAll(/,\n\s+/gu, ', ')}]`,
  );

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
const schemas = folder ?? join(import.meta.dirname, '../../../core/events/schemas');

const current = currentCatalogue();
const changed = changedSchemas(readCatalogue(), current);

const files = {
  [join(schemas, 'catalogue.json')]: `${JSON.stringify(current, null, 2)}\n`,
  [join(schemas, 'samples.json')]: `${samplesText(current)}\n`,
};

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}

function isAsWritten(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}

if (changed.length > 0)
  fail(
    `Published schemas have changed: ${changed.join(', ')}. Add a version instead: see docs/events/README.md.`,
  );
else
  for (const [file, text] of Object.entries(files)) {
    if (!values.check) writeFileSync(file, text);
    else if (!isAsWritten(file, text))
      fail(`${file} is not what its sources say: run npm run docs:generate.`);
  }
