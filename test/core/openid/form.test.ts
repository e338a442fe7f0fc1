import { expect, test } from '@jest/globals';
import { Form } from '../../../core/openid/form.ts';

test.each([
  ['a plain value', 'a=b', 'b'],
  ['equals signs', 'a=b=c==', 'b=c=='],
  ['spaces and a plus', 'a=b+c%20d%2Be', 'b c d+e'],
  ['UTF-8', 'a=Zo%C3%AB', 'Zoë'],
  ['an encoded name', '%61=b', 'b'],
])('a parameter may have %s', (_, text, value) => {
  expect(new Form(text).get('a')).toBe(value);
});

test.each(['', 'a', 'a=', 'A=b', 'b=a', '=a'])(
  'a parameter without a value counts as omitted: %j',
  (text) => {
    expect(new Form(text).get('a')).toBeUndefined();
  },
);

test.each(['a=%', 'a=%zz', 'a=%ff', '%ff=a'])(
  'a form that is not percent-encoded UTF-8 is rejected: %j',
  (text) => {
    expect(() => new Form(text)).toThrow('Expected form parameters that are percent-encoded UTF-8.');
  },
);

test.each(['a=b&a=b', 'a=b&a=c', 'a=b&a=', 'a&c=d&%61'])(
  'a form with a repeated parameter is rejected: %j',
  (text) => {
    const form = new Form(text);

    expect(() => form.get('a')).toThrow('Expected each parameter at most once.');
    expect(() => form.checkUnrepeated()).toThrow('Expected each parameter at most once.');
  },
);

test.each(['', '&', '&a=b', 'a=b&', '&&a=b&&c=d&&'])(
  'an empty part between two ampersands is ignored: %j',
  (text) => {
    expect(() => new Form(text).checkUnrepeated()).not.toThrow();
  },
);
