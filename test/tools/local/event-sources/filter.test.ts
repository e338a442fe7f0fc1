import { expect, test } from '@jest/globals';
import type { FilterPattern } from '../../../../lambdas/filter-pattern.ts';
import { passes } from '../../../../tools/local/event-sources/filter.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: {
    NewImage: { kind: { S: 'sent' }, expiresAt: { N: '1700000000000' }, tags: { SS: ['a', 'b'] } },
  },
  size: 7,
};

const image = (pattern: FilterPattern): FilterPattern => ({ dynamodb: { NewImage: pattern } });

test.each<[string, readonly FilterPattern[], boolean]>([
  ['no pattern', [], true],
  ['an equal value', [{ eventName: ['INSERT'] }], true],
  ['one of the values', [{ eventName: ['MODIFY', 'INSERT'] }], true],
  ['none of the values', [{ eventName: ['MODIFY', 'REMOVE'] }], false],
  ['an equal number', [{ size: [7] }], true],
  ['a number as text', [{ size: ['7'] }], false],
  ['all members', [{ eventName: ['INSERT'], ...image({ kind: { S: ['sent'] } }) }], true],
  ['one member only', [{ eventName: ['INSERT'], ...image({ kind: { S: ['other'] } }) }], false],
  ['the second pattern', [{ eventName: ['REMOVE'] }, { eventName: ['INSERT'] }], true],
  ['a value in a list', [image({ tags: { SS: ['b'] } })], true],
  ['a value that exists', [image({ expiresAt: { N: [{ exists: true }] } })], true],
  ['a value that should not exist', [image({ expiresAt: { N: [{ exists: false }] } })], false],
  ['a value that does not exist', [image({ missing: { N: [{ exists: true }] } })], false],
  ['a missing value that should be missing', [image({ missing: { N: [{ exists: false }] } })], true],
  ['a value of another type', [image({ expiresAt: { S: [{ exists: true }] } })], false],
  ['an object, of which `exists` knows nothing', [image({ expiresAt: [{ exists: true }] })], false],
  ['a way through what is no object', [{ eventName: { inner: ['INSERT'] } }], false],
])('a filter matches as in Lambda: %s', (_, patterns, expected) => {
  expect(passes(patterns, record)).toBe(expected);
});
