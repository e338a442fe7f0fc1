/** The published schemas of events, as the files beside this one have them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../kernel/identifiers.ts';
import { canonicalJson } from '../../kernel/json.ts';
import type { JsonSchema } from '../json-schema.ts';

export type PublishedSchema = JsonSchema & {
  $id: string;
  description: string;
  'x-recordedBy'?: 'platform' | 'omi';
  examples?: unknown[];
};

type Entry = {
  /** Type of a public event, or category. */
  name: string;
  version: string;
  recordedBy?: string;
  description: string;
  schema: string;
  /** SHA-256 of the canonical JSON of the schema as it was published, base64url. */
  checksum: string;
};

export type Catalogue = { envelopes: Entry[]; payloads: Entry[] };

const folder = import.meta.dirname;
const file = join(folder, 'catalogue.json');

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

export const readSchema = (path: string): PublishedSchema => readJson(join(folder, path)) as PublishedSchema;

export const readCatalogue = (): Catalogue => readJson(file) as Catalogue;

const isSchema = (name: string): boolean => /-\d+\.\d+\.json$/.test(name);

function entryOf(path: string): Entry {
  const schema = readSchema(path);
  const [name = '', version = ''] = schema.$id.split(':').slice(-2);
  const { description, 'x-recordedBy': recordedBy } = schema;
  const checksum = sha256(canonicalJson(schema));
  return { name, version, ...(recordedBy && { recordedBy }), description, schema: path, checksum };
}

/** What the files say now. */
export const currentCatalogue = (): Catalogue => ({
  envelopes: readdirSync(folder).filter(isSchema).sort().map(entryOf),
  payloads: readdirSync(join(folder, 'payloads'))
    .sort()
    .map((name) => entryOf(`payloads/${name}`)),
});

const all = ({ envelopes, payloads }: Catalogue): Entry[] => [...envelopes, ...payloads];

/** Schemas that are no longer what was published. */
export function changedSchemas(published: Catalogue, current: Catalogue): string[] {
  const checksums = new Map(all(current).map(({ schema, checksum }) => [schema, checksum]));
  return all(published)
    .filter(({ schema, checksum }) => checksums.get(schema) !== checksum)
    .map(({ schema }) => schema);
}
