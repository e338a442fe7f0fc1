import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ExportedEvent } from '../../../client/exported-events.ts';

const folder = join(import.meta.dirname, '../../../core/events/schemas');

type Entry = { name: string; version: string; schema: string };
type Catalogue = { envelopes: Entry[]; payloads: Entry[] };

const readJson = (path: string): object => JSON.parse(readFileSync(join(folder, path), 'utf8')) as object;

/** Validates events with the published schemas and ajv, as a consumer could. */
export class EventValidator {
  readonly #validators = new Map<string, ValidateFunction>();

  constructor() {
    const ajv = new Ajv2020({ allErrors: true });
    formats.default(ajv);
    ajv.addVocabulary(['x-recordedBy']);
    const { envelopes, payloads } = readJson('catalogue.json') as Catalogue;
    for (const { name, version, schema } of [...envelopes, ...payloads])
      this.#validators.set(`${name} ${version}`, ajv.compile(readJson(schema)));
  }

  /** An empty list for a valid event. */
  errors(event: ExportedEvent): string[] {
    const { category, type, metadataVersion, payloadVersion } = event.metadata;
    const envelope = this.#errorsBy(`${category} ${String(metadataVersion)}`, event);
    if (category === 'log') return envelope;
    return [...envelope, ...this.#errorsBy(`${type} ${String(payloadVersion)}`, event.payload)];
  }

  #errorsBy(name: string, value: unknown): string[] {
    const validate = this.#validators.get(name);
    if (!validate) return [`There is no published schema for ${name}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  }
}
