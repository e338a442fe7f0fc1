/** The OpenAPI document in its 3.0 form. */
import { describe, expect, test } from '@jest/globals';
import { openApiDocument as document } from '../../tools/documents/api/document.ts';
import { openApi30Document } from '../../tools/documents/api/openapi-3.0.ts';

type Schemas = Record<string, Record<string, unknown>>;

/** The 3.0 form of a schema, which a path refers to. */
function converted(schema: object, named: object = {}): unknown {
  const components = { securitySchemes: {}, schemas: { Other: {}, ...named, Tested: schema } };
  const paths = { '/': { $ref: '#/components/schemas/Tested' } };
  const made = openApi30Document({ ...document, components, paths } as unknown as typeof document);
  return (made['components'] as { schemas: Schemas }).schemas['Tested'];
}

describe('the 3.0 form of a schema', () => {
  test.each([
    ['a constant is an enumeration', { const: 1 }, { type: 'integer', enum: [1] }],
    [
      'a list of types with null is nullable',
      { type: ['string', 'null'] },
      { type: 'string', nullable: true },
    ],
    [
      'a choice with null is nullable',
      { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }], description: 'd' },
      { type: 'string', maxLength: 3, description: 'd', nullable: true },
    ],
    [
      'a reference with words beside it is wrapped',
      { $ref: '#/components/schemas/Other', description: 'd' },
      { allOf: [{ $ref: '#/components/schemas/Other' }], description: 'd' },
    ],
    [
      'forms of one text are a text',
      { anyOf: [{ type: 'string', format: 'ipv4' }, { type: 'string' }] },
      { type: 'string' },
    ],
    [
      'the first of the examples is kept',
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', example: 'a' },
    ],
    [
      'an exclusive limit is a limit with a mark',
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'integer', minimum: 0, exclusiveMinimum: true },
    ],
    [
      'a list without items has some',
      { type: 'array', maxItems: 0 },
      { type: 'array', maxItems: 0, items: {} },
    ],
    ['an empty list of required members is left out', { type: 'object', required: [] }, { type: 'object' }],
    [
      'a pattern with properties of characters is left out',
      { type: 'string', pattern: String.raw`\p{L}` },
      { type: 'string' },
    ],
    ['an older pattern is kept', { type: 'string', pattern: '^a$' }, { type: 'string', pattern: '^a$' }],
    [
      'members that must not be there are left out',
      { type: 'object', properties: { never: false, examples: { const: 'a' } } },
      { type: 'object', properties: { examples: { type: 'string', enum: ['a'] } } },
    ],
    [
      'conditions are left out',
      { type: 'object', if: {}, then: {}, dependentRequired: {} },
      { type: 'object' },
    ],
  ])('%s', (_, schema, expected) => {
    expect(converted(schema)).toEqual(expected);
  });

  test('a reference that may be null is copied', () => {
    const named = { Other: { type: 'string', format: 'date-time' } };
    const schema = { anyOf: [{ $ref: '#/components/schemas/Other' }, { type: 'null' }] };
    expect(converted(schema, named)).toEqual({ type: 'string', format: 'date-time', nullable: true });
  });

  test.each([
    [{ type: ['string', 'integer'] }],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }, { type: 'integer' }] }],
  ])('there is none for a choice of types: %j', (schema) => {
    expect(() => converted(schema)).toThrow(/OpenAPI 3.0 has no list of types|one schema beside null/);
  });
});

test('the 3.0 form has every operation, and no schema that none of them uses', () => {
  const made = openApi30Document(document);
  expect(Object.keys(made['paths'] as object)).toEqual(Object.keys(document.paths));
  const { schemas } = made['components'] as { schemas: Schemas };
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Confirmation', 'UserBlockedEvent-1.0']));
  expect(Object.keys(schemas)).not.toContain('Callback');
  expect(JSON.stringify(made)).not.toContain('5XX"');
});
