import { describe, expect, test } from '@jest/globals';
import { compile as compileLazily, type JsonSchema } from '../../../core/events/json-schema.ts';

const compile = (schema: JsonSchema) => {
  const validate = compileLazily(schema);
  return (value: unknown, pointer: string) => [...validate(value, pointer)];
};

const person = compile({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, title: 'a name' },
    colour: { enum: ['red', 'green'] },
    pets: { type: 'array', items: { type: 'string' }, maxItems: 2, title: 'at most 2 pets' },
  },
  required: ['name', 'colour'],
  additionalProperties: false,
});

describe('a value', () => {
  test('has no fault if it matches', () => {
    expect(person({ name: 'Ann', colour: 'red', pets: ['cat'] }, '')).toEqual([]);
  });

  test('has every fault at once, each with its pointer and what was expected', () => {
    expect(person({ name: '', pets: ['cat', 5], age: 3, size: 1 }, '/list/0')).toEqual([
      { pointer: '/list/0/colour', detail: "expected 'colour', which is missing" },
      { pointer: '/list/0/name', detail: 'expected a name' },
      { pointer: '/list/0/pets/1', detail: 'expected a value of type string' },
      { pointer: '/list/0/age', detail: 'expected no such member' },
      { pointer: '/list/0/size', detail: 'expected no such member' },
    ]);
  });

  test.each([
    ['a value of another type', ['Ann'], 'expected a value of type object'],
    ['null', null, 'expected a value of type object'],
    [
      'a number kept as it was written',
      JSON.parse('5.0', asWritten as never),
      'expected a value of type object',
    ],
  ])('has one fault: %s', (_, value, detail) => {
    expect(person(value, '/it')).toEqual([{ pointer: '/it', detail }]);
  });

  test('has only that fault if it is a list with too many items', () => {
    expect(person({ name: 'A', colour: 'red', pets: [1, 2, 3] }, '')).toEqual([
      { pointer: '/pets', detail: 'expected at most 2 pets' },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'may not have a member %s, which every JavaScript object inherits',
    (name) => {
      const given = JSON.parse(`{"name":"A","colour":"red","${name}":1}`) as unknown;
      expect(person(given, '')).toEqual([{ pointer: `/${name}`, detail: 'expected no such member' }]);
      expect(compile({ required: [name] })({}, '')).toHaveLength(1);
    },
  );

  test('has pointers in the form of RFC 6901, of bounded length', () => {
    const [odd, long] = person({ name: 'A', colour: 'red', 'a/b~c': 1, [`/${'x'.repeat(9999)}`]: 1 }, '');
    expect(odd?.pointer).toBe('/a~1b~0c');
    expect(long?.pointer.length).toBeLessThan(200);
  });
});

test('faults are generated one by one, as the caller reads them', () => {
  const validate = compileLazily({ items: { type: 'string' } });
  const read: number[] = [];
  const list = new Proxy([1, 2, 3], {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read.push(Number(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  const faults = validate(list, '')[Symbol.iterator]();
  expect(faults.next().value).toMatchObject({ pointer: '/0' });
  expect(read).toEqual([0]);
});

describe('a schema', () => {
  test.each([
    ['a keyword', { maximum: 5 }, 'maximum'],
    ['a type', { type: 'null' }, 'null'],
    ['a format', { format: 'hostname' }, 'hostname'],
    ['a keyword further inside', { properties: { a: { items: { multipleOf: 5 } } } }, 'multipleOf'],
  ])('is rejected with %s that cannot be checked', (_, schema, name) => {
    expect(() => compile(schema as never)).toThrow(name);
  });
});

function asWritten(_key: string, _value: unknown, { source }: { source: string }): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(source);
}
