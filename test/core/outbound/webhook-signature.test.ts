import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../../core/outbound/webhook-signature.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const message = { id: 'one', body: '{"a":1}', secrets: [secret] };

test('the time of a call is the current second, rounded down', () => {
  const last = 1_700_000_000_999;
  expect(signatureHeaders(message, last)).toMatchObject({ 'webhook-timestamp': '1700000000' });
});

test('a receiver with any of the valid secrets accepts the call', () => {
  const next = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
  const headers = signatureHeaders({ ...message, secrets: [secret, next] }, Date.now());
  for (const valid of [secret, next])
    expect(new Webhook(valid).verify(message.body, headers)).toEqual({ a: 1 });
});
