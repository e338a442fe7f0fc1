/**
 * Writes the types of `@omi/website` from the OpenAPI document, or with --check fails where the file is not what would be
 * written:
 *
 *     node tools/documents/api/generate-types.ts [--check] [file]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import openapiTypes, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import { parse } from 'yaml';
import layout from '../../../.oxfmtrc.json' with { type: 'json' };

type Schemas = Record<string, object>;
type Document = { openapi: string; info: object; components: { schemas: Schemas } };

/** What a website sends and gets. Schemas that they refer to are included. */
const roots = [
  'Confirmation',
  'DeviceList',
  'Enrolment',
  'EnrolmentRequest',
  'EnrolmentStatus',
  'Group',
  'GroupRequest',
  'InvalidRequest',
  'PushRequest',
];

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const [file = join(import.meta.dirname, '../../../packages/website/src/generated/api.ts')] = positionals;

const referencedBy = (schema: object | undefined): string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);

function reachable(schemas: Schemas): Schemas {
  const names = new Set(roots);
  // A set that grows is iterated to its new end.
  for (const name of names) for (const inner of referencedBy(schemas[name])) names.add(inner);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

const source = await readFile(join(import.meta.dirname, '../../../docs/api/openapi.yaml'), 'utf8');
const { openapi, info, components } = parse(source) as Document;
const document = { openapi, info, paths: {}, components: { schemas: reachable(components.schemas) } };

const note =
  '// Generated from docs/api/openapi.yaml by tools/documents/api/generate-types.ts: run npm run docs:generate.\n\n';
const types = astToString(
  await openapiTypes(JSON.stringify(document), { defaultNonNullable: false, silent: true }),
);
const { code: text } = await format(file, note + types, layout);

const written = async (): Promise<string> => await readFile(file, 'utf8').catch(() => '');

if (!values.check) await writeFile(file, text);
else if ((await written()) !== text) {
  console.error(`${file} is not what the OpenAPI document says: run npm run docs:generate.`);
  process.exitCode = 1;
}
