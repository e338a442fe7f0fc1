import { expect, test } from '@jest/globals';
import { failedItems } from '../../../../tools/local/event-sources/batch-response.ts';

const items = ['1', '2', '3'];
const failures = (...identifiers: unknown[]) => ({
  payload: { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) },
});

test.each([
  ['no answer', { payload: null }],
  ['an answer without failures', { payload: {} }],
  ['no failures', failures()],
  ['failures that are null', { payload: { batchItemFailures: null } }],
])('a response with %s means that the whole batch succeeded', (_, invocation) => {
  expect(failedItems(invocation, items)).toEqual(new Set());
});

test('a response that names items means that the others succeeded', () => {
  expect(failedItems(failures('3', '2'), items)).toEqual(new Set(['2', '3']));
});

test.each([
  ['an error of the function', { error: { errorType: 'Error', errorMessage: 'no' } }],
  ['an item that was not in the batch', failures('2', '4')],
  ['an empty name', failures('')],
  ['a name that is null', failures(null)],
  ['a misspelt member', { payload: { batchItemFailures: [{ itemIdentifer: '1' }] } }],
  ['an answer that is not an object', { payload: 'fine' }],
])('a response with %s means that the whole batch failed', (_, invocation) => {
  expect(failedItems(invocation, items)).toEqual(new Set(items));
});
