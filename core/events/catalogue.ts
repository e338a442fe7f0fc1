import { ownLogTypes, ownPublicTypes } from './own-events.ts';
import { compile, type JsonSchema, type Validate } from './json-schema.ts';
import * as schemas from './payloads.ts';

/** A type and version of public event that the platform's services record. */
export type RecordableType = { type: string; version: string; payload: Validate };

function entryOf(schema: JsonSchema & { readonly $id: string }): RecordableType {
  const [type = '', version = ''] = schema.$id.split(':').slice(-2);
  return { type, version, payload: compile(schema) };
}

export const recordable: readonly RecordableType[] = Object.values(schemas).map(entryOf);

/** Types that only this service and its operator's commands record. */
export const reservedTypes: readonly string[] = [...ownPublicTypes, ...ownLogTypes];

export const isReserved = (type: unknown): boolean => reservedTypes.includes(type as string);
