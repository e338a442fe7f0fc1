/** Values that are nearly right: a valid one, changed in a few places. */
import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';

/** Where (the n-th place of the value, counted around) and how. */
export type Mutation = { place: number; change: Change };
type Change =
  | { kind: 'set'; value: unknown }
  | { kind: 'drop' }
  | { kind: 'add'; name: string }
  | { kind: 'wrap' }
  /** So many arrays, one in the other. */
  | { kind: 'nest'; depth: number };

/** What parsers, stores and signatures have been known to stumble over. */
const strangeText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udc00a',
    '\u202e',
    'a\u200f1',
    '\u200d',
    'ꆈ\u200dꆈ ',
    '\ufe0f',
    'é',
    '🙂',
    '..',
    '/',
    '%',
    '#',
    '$',
    '\n',
    '"',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'true', '0', '-1', 'NaN'),
  fc.constantFrom(16, 64, 128, 129, 256, 1_024, 4_096, 5_000).map((length) => 'x'.repeat(length)),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.base64String({ maxLength: 60 }),
);

const strangeValue = fc.oneof(
  { weight: 3, arbitrary: strangeText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [{}], { a: { b: 1 } }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, 5e-324) },
  { weight: 1, arbitrary: fc.jsonValue({ stringUnit: anyCharacter }) },
);

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    place: fc.nat(60),
    change: fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), value: strangeValue }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'drop' as const }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), name: strangeText }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'wrap' as const }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('nest' as const), depth: fc.constantFrom(20, 200, 2_000) }),
      },
    ),
  }),
  { maxLength: 3, size: 'max' },
);

type Holder = Record<string | number, unknown>;
type Place = { holder: Holder; key: string };

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Not into what another mutation has nested. */
const deepest = 8;

function placesOf(holder: Holder, depth = 0): Place[] {
  return Object.keys(holder).flatMap((key) => {
    const inner = holder[key];
    return [{ holder, key }, ...(isHolder(inner) && depth < deepest ? placesOf(inner, depth + 1) : [])];
  });
}

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** Also a member that every object inherits. */
const define = (holder: Holder, key: string, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
};

function change({ holder, key }: Place, { change: how }: Mutation): void {
  if (how.kind === 'set') define(holder, key, structuredClone(how.value));
  else if (how.kind === 'wrap') define(holder, key, [holder[key]]);
  else if (how.kind === 'nest') define(holder, key, nested(how.depth));
  else if (how.kind === 'add') define(holder, how.name, 'added');
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}

/** The value with the mutations applied one after the other. */
export function mutated(value: object, its: readonly Mutation[]): unknown {
  const root: Holder = { value: structuredClone(value) };
  for (const mutation of its) {
    const places = placesOf(root);
    const place = places[mutation.place % places.length];
    if (place) change(place, mutation);
  }
  return root['value'] ?? null;
}

/** A change of a text that says something else already. */
export type Cut = { at: number; remove: number; insert: string };

export const cuts: fc.Arbitrary<Cut[]> = fc.oneof(
  { weight: 9, arbitrary: fc.constant<Cut[]>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        at: fc.nat(2_000),
        remove: fc.nat(3),
        insert: fc.oneof(
          fc.constantFrom('', '.', '=', ',', '{', '}', '"', '\\', 'A'),
          fc.string({ maxLength: 3 }),
        ),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  },
);

export function cut(text: string, its: readonly Cut[]): string {
  return its.reduce((whole, { at, remove, insert }) => {
    const start = whole.length === 0 ? 0 : at % whole.length;
    return whole.slice(0, start) + insert + whole.slice(start + remove);
  }, text);
}
