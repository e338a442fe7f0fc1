import { expect, test } from '@jest/globals';
import { labelOf, labelsFor } from '../../../../pages/app/src/text/detail-label.ts';
import { parseDetails } from '../../../../pages/app/src/text/details-tree.ts';

const all = {
  payment: {
    instructedAmount: { en: 'Amount', de: 'Betrag' },
    'creditorAccount.iban': 'IBAN',
  },
};

const objectOf = (value: object) => {
  const node = parseDetails(JSON.stringify(value));
  if (!node) throw new Error('No JSON');
  return node;
};

test('the labels are those of the type of the details', () => {
  expect(labelsFor(objectOf({ type: 'payment' }), all)).toBe(all.payment);
  expect(labelsFor(objectOf({ type: 'other' }), all)).toBeUndefined();
  expect(labelsFor(objectOf({ type: 'constructor' }), all)).toBeUndefined();
  expect(labelsFor(objectOf({ amount: 1 }), all)).toBeUndefined();
  expect(labelsFor(objectOf([]), all)).toBeUndefined();
});

test.each([
  ['instructedAmount', 'de', 'Betrag'],
  ['instructedAmount', 'fr', 'Amount'],
  ['creditorAccount.iban', 'nl', 'IBAN'],
  ['iban', 'en', undefined],
  ['toString', 'en', undefined],
])('the label of %s in %s is %s', (path, language, label) => {
  expect(labelOf(all.payment, path, language)).toBe(label);
});

test('without labels a member has its name', () => {
  expect(labelOf(undefined, 'instructedAmount', 'en')).toBeUndefined();
});
