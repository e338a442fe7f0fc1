import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ExportedEvent } from '../../client/exported-events.ts';

const folder = join(import.meta.dirname, '../../docs/events');

type Entry = { name: string; version: string; schema: string };
type Catalogue = { envelopes: Entry[]; payloads: Entry[] };

const readJson = (path: string): object => JSON.parse(readFileSync(join(folder, path), 'utf8')) as object;

/** Checks events by the published schemas, with a validator of the consumer's own choice. */
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

  /** What is wrong with an event; nothing is, if the list is empty. */
  faults(event: ExportedEvent): string[] {
    const { category, type, metadataVersion, payloadVersion } = event.metadata;
    const envelope = this.#faultsBy(`${category} ${String(metadataVersion)}`, event);
    if (category === 'log') return envelope;
    return [...envelope, ...this.#faultsBy(`${type} ${String(payloadVersion)}`, event.payload)];
  }

  #faultsBy(name: string, value: unknown): string[] {
    const validate = this.#validators.get(name);
    if (!validate) return [`${name} is not published`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  }
}
