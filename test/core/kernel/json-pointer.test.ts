import { expect, test } from '@jest/globals';
import { pointerSegment } from '../../../core/kernel/json-pointer.ts';

test.each([
  ['name', 'name'],
  [0, '0'],
  ['a/b~c', 'a~1b~0c'],
  ['', ''],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), `${'x'.repeat(100)}…`],
])('the segment of the name %j is %j', (name, segment) => {
  expect(pointerSegment(name)).toBe(segment);
});

test.each(['\ud83d', `x${'😀'.repeat(100)}`, '\udc00'.repeat(1_000)])(
  'a segment is well-formed text, wherever it is cut',
  (name) => {
    expect(pointerSegment(name).isWellFormed()).toBe(true);
  },
);

test('a segment is short for any characters', () => {
  for (const character of ['a', '~', '\u0000', '😀', '\ud800'])
    expect(JSON.stringify(pointerSegment(character.repeat(100_000))).length).toBeLessThan(700);
});
