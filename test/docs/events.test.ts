import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ownLogTypes, ownPublicTypes } from '../../core/events/own-events.ts';
import * as recordedByPlatform from '../../core/events/payloads.ts';
import { recordable } from '../../core/events/catalogue.ts';
import { compile } from '../../core/events/json-schema.ts';
import { eventFaults } from '../../core/events/validation.ts';
import {
  changedSchemas,
  currentCatalogue,
  readCatalogue,
  readSchema,
} from '../../core/events/schemas/published.ts';
import { openApiDocument } from '../../tools/documents/api/document.ts';
import { isPublishedEvent, matches } from '../support/published-schemas.ts';

const current = currentCatalogue();
const { payloads } = current;
const readme = readFileSync('docs/events/README.md', 'utf8');

const recordedBy = (who: string) => payloads.filter((entry) => entry.recordedBy === who);

test('the catalogue lists every schema, and no published schema has changed', () => {
  const published = readCatalogue();
  expect(changedSchemas(published, current)).toEqual([]);
  // A change that breaks nobody may take this checksum over; any other is a new version (docs/events/README.md).
  expect(published).toEqual(current);
});

test('a changed or missing schema is detected', () => {
  const published = readCatalogue();
  const [first, ...rest] = published.payloads;
  if (!first) throw new Error('nothing is published');
  const changed = { ...published, payloads: [{ ...first, checksum: 'another' }, ...rest] };
  expect(changedSchemas(published, changed)).toEqual([first.schema]);
  expect(changedSchemas(published, { ...published, payloads: rest })).toEqual([first.schema]);
  expect(changedSchemas({ ...published, payloads: rest }, published)).toEqual([]);
});

test('the OpenAPI document has the schema of every type that is recorded', () => {
  const { schemas } = openApiDocument.components;
  const recordableForms = JSON.stringify(schemas['RecordableEvent']);
  for (const { $schema: _, $id, title: __, 'x-recordedBy': ___, ...schema } of Object.values<
    Record<string, unknown> & { $id: string }
  >(recordedByPlatform)) {
    const name = $id.split(':').slice(-2).join('-');
    expect(schemas[name]).toEqual(schema);
    expect(recordableForms).toContain(`"#/components/schemas/${name}"`);
  }
});

describe.each(payloads)('$schema', ({ name, version, schema: path }) => {
  const { examples = [], ...schema } = readSchema(path);

  test('is named after its type and version, in the file and in the table', () => {
    expect(path).toBe(`payloads/${name}-${version}.json`);
    expect(readme).toContain(`| \`${name}\` | [${version}](../../core/events/schemas/${path}) |`);
  });

  test('has examples that it matches', () => {
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      expect(matches(`${name} ${version}`, example)).toBe(true);
      expect([...compile(schema)(example, '')]).toEqual([]);
    }
  });

  test('has a closed structure', () => {
    const [example] = examples as [object];
    expect(schema.description).not.toBe('');
    expect(matches(`${name} ${version}`, { ...example, more: 1 })).toBe(false);
    expect(matches(`${name} ${version}`, {})).toBe(false);
  });
});

test('the service accepts what the platform records, and reserves its own types', () => {
  const entries = recordable.map(({ type, version }) => `${type} ${version}`);
  expect(entries.sort()).toEqual(recordedBy('platform').map(({ name, version }) => `${name} ${version}`));
  expect(new Set(ownPublicTypes)).toEqual(new Set(recordedBy('omi').map(({ name }) => name)));
  for (const type of ownLogTypes) expect(readme).toContain(`\`${type}\``);
});

test('the example is accepted by the service and understood by a consumer', () => {
  const { events } = JSON.parse(readFileSync('docs/events/example.json', 'utf8')) as { events: unknown[] };
  expect(events.flatMap((event, position) => [...eventFaults(event, `/events/${position}`)])).toEqual([]);
  expect(events.map(isPublishedEvent)).toEqual([true, true]);
});
