import { describe, expect, test } from '@jest/globals';
import { vendorMessage } from '../../../../core/export/targets/vendor-message.ts';

describe('the quotation at the end of a reason', () => {
  test('is the message of AWS, shortened', () => {
    expect(vendorMessage('User x is not authorized')).toBe(' AWS says: User x is not authorized');
    expect(vendorMessage('x'.repeat(2_000))).toBe(` AWS says: ${'x'.repeat(500)}`);
  });

  test.each(['', 'UnknownError'])('is empty when AWS said nothing: %j', (message) => {
    expect(vendorMessage(message)).toBe('');
  });

  test.each([
    '@smithy/node-http-handler - [ERROR] a request has exceeded the configured 2000 ms requestTimeout.',
    'TimeoutError @smithy/node-http-handler - the request socket did not establish a connection with the server',
  ])('states that no answer came, instead of the words of the SDK', (message) => {
    expect(vendorMessage(message)).toBe(' No answer came in time.');
  });

  test.each(['connect ECONNREFUSED 127.0.0.1:1', 'getaddrinfo ENOTFOUND kinesis.example', 'socket hang up'])(
    'does not attribute errors of the network to AWS: %s',
    (message) => {
      expect(vendorMessage(message)).toBe(` The network says: ${message}`);
    },
  );
});
