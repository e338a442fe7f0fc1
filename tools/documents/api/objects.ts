import { ref, type JsonSchema } from './json-schema.ts';

/** Schemas by name; the names of members that may be missing end in `?`. `false`: must be missing. */
export type Members = Record<string, JsonSchema | false>;

const objectOf = (members: Members): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
  ),
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
});

/** An object of these members and no others: what the service sends. */
export const strictObject = (description: string, members: Members, rest: JsonSchema = {}): JsonSchema => ({
  description,
  ...objectOf(members),
  additionalProperties: false,
  ...rest,
});

/** An object that may hold members that nobody reads: what a device signs. */
export const openObject = (description: string, members: Members, rest: JsonSchema = {}): JsonSchema => ({
  description: `${description} Other members are ignored.`,
  ...objectOf(members),
  ...rest,
});

export const text = (description: string, rest: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...rest,
});

/** A member of the component schemas `Time` and `Digest`, with what it is here. */
export const time = (description: string): JsonSchema => ({ ...ref('Time'), description });
export const digest = (description: string): JsonSchema => ({ ...ref('Digest'), description });
export const deviceId = text('The device.', { format: 'uuid' });
export const userId = text("The website's id of the user.");
