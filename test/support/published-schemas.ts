import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { currentCatalogue, readSchema } from '../../core/events/schemas/published.ts';

/** The schemas as any consumer's validator reads them: ajv, in its strict mode. */
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: true });
formats.default(ajv);
ajv.addVocabulary(['x-recordedBy']);

const { envelopes, payloads } = currentCatalogue();
const compiled = new Map(
  [...envelopes, ...payloads].map(({ name, version, schema }) => [
    `${name} ${version}`,
    ajv.compile(readSchema(schema)),
  ]),
);

function validatorOf(name: string): ValidateFunction {
  const validate = compiled.get(name);
  if (!validate) throw new Error(`No schema is published for ${name}`);
  return validate;
}

export const matches = (name: string, value: unknown): boolean => validatorOf(name)(value);

type Metadata = { category?: unknown; type?: unknown; payloadVersion?: unknown };

/** Whether a consumer that checks by the published schemas would take the event. */
export function isPublishedEvent(event: unknown): boolean {
  const { metadata = {}, payload } = (event ?? {}) as { metadata?: Metadata; payload?: unknown };
  const { category, type, payloadVersion } = metadata;
  if (category === 'log') return matches('log 1.0', event);
  const name = `${String(type)} ${String(payloadVersion)}`;
  return matches('public 1.0', event) && compiled.has(name) && matches(name, payload);
}
