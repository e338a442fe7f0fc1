/** The schema of OCSF, as a SIEM would check by it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

export const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'schema.json'), 'utf8')) as {
  $defs: Record<
    string,
    { title: string; properties: Record<string, { const?: number; 'x-captions'?: Record<string, string> }> }
  >;
};

// Some of OCSF's expressions are not written for the flag `u`.
const ajv = new Ajv2020({ allErrors: true, strict: false, unicodeRegExp: false });
ajv.addSchema(schema, 'ocsf');

const classes = ['base_event', 'authentication', 'entity_management', 'user_management'];
const nameOf = (classUid: unknown): string =>
  classes.find((name) => schema.$defs[name]?.properties['class_uid']?.const === classUid) ?? '';

/** What the schema of the event's class finds wrong; empty if nothing is. */
export function faultsOf(event: object): string[] {
  const name = nameOf((event as { class_uid?: unknown }).class_uid);
  const validate = ajv.getSchema(`ocsf#/$defs/${name}`);
  if (!validate) return ['The class is not known'];
  if (validate(event)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  );
}

/** The captions of an id, such as `activity_id` in the class with this number. */
export const captionsOf = (classUid: number, attribute: string): Record<string, string> =>
  schema.$defs[nameOf(classUid)]?.properties[attribute]?.['x-captions'] ?? {};
