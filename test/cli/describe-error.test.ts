/** What an operator reads when AWS, the network or the command refuses. */
import { describe, expect, test } from '@jest/globals';
import { OmiError } from '#website';
import { describeError } from '../../cli/describe-error.ts';
import { CommandError } from '../../cli/command-error.ts';

const named = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more });

describe('an error', () => {
  test.each([
    ['AccessDeniedException', 'Use those of an operator'],
    ['ProvisionedThroughputExceededException', 'again in a minute'],
    ['ThrottlingException', 'again in a minute'],
    ['ServiceUnavailable', 'again in a minute'],
    ['UnrecognizedClientException', 'Sign in again'],
  ])('%s of AWS keeps its text and says what to do', (name, hint) => {
    const text = describeError(named(name, 'Something of AWS.'));
    expect(text).toMatch(new RegExp(`^error: ${name}: Something of AWS\\.\\n`));
    expect(text).toContain(hint);
  });

  test('is shown with its code and what to do if it comes from the API', () => {
    const error = new OmiError('device-not-found', { status: 404, detail: 'The user has no device.' });
    const { hint } = error;
    expect(hint).not.toBe('');
    expect(describeError(error)).toBe(`error: device-not-found: The user has no device.\n${hint}`);
  });

  test.each([
    ['ECONNREFUSED', 'Is the stack running?'],
    ['ENOTFOUND', 'Is the region right'],
  ])('%s of the network is not "Error: Error"', (code, hint) => {
    const text = describeError(named('Error', `connect ${code}`, { code }));
    expect(text).toMatch(new RegExp(`^error: connect ${code}\\n`));
    expect(text).toContain(hint);
  });

  test('does not mention parts of the SDK if an answer is missing', () => {
    const text = describeError(named('TimeoutError', '@smithy/node-http-handler - [ERROR] a request …'));
    expect(text).toContain('AWS did not answer in time.');
    expect(text).not.toContain('smithy');
  });

  test('is shown on one line even if it has several', () => {
    expect(describeError(named('ValidationError', 'one\n  two'))).toBe('error: ValidationError: one two');
  });

  test('is shown with its hint if it is our own', () => {
    expect(describeError(new CommandError('It is so.', 'Do this.'))).toBe('error: It is so.\nDo this.');
  });
});
