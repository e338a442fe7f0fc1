import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDetails, type DetailsNode } from '../../../../pages/app/src/text/details-tree.ts';

/** The text of a tree: what the user sees, as JSON again. */
function jsonOf(node: DetailsNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join(',')}}`;
    case 'array':
      return `[${node.items.map(jsonOf).join(',')}]`;
    case 'text':
      return JSON.stringify(node.text);
    case 'literal':
      return node.source;
  }
}

test('every JSON text is shown with all of its members', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (source) => {
      const node = parseDetails(source);
      expect(node && JSON.parse(jsonOf(node))).toEqual(JSON.parse(source));
    }),
  );
});

describe('details keep what JSON.parse would lose', () => {
  test.each([
    ['digits of a large number', '[12345678901234567890]'],
    ['zeros at the end of an amount', '{"amount":1250.00}'],
    ['a number beyond the largest', '[1e999,-1E+999]'],
    ['the order of keys that look like numbers', '{"2":"b","1":"a"}'],
    ['a duplicate member', '{"to":"Zoë","to":"Eve"}'],
    ['a member named __proto__', '{"__proto__":{"x":1}}'],
  ])('including %s', (_, source) => {
    const node = parseDetails(source);
    expect(node && jsonOf(node)).toBe(source);
  });
});

test.each(['', '{', '[1,]', "{'a':1}", '[{"type":'])(
  'text that is not JSON is shown unchanged: %s',
  (source) => {
    expect(parseDetails(source)).toBeUndefined();
  },
);

test('text with quotes, backslashes and brackets stays text', () => {
  const text = 'a "quoted" \\ {[,:]} text\n';
  expect(parseDetails(JSON.stringify([text]))).toEqual({ kind: 'array', items: [{ kind: 'text', text }] });
});
