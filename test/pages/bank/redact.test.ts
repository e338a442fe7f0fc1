import { expect, test } from '@jest/globals';
import { type RawCall, redacted } from '../../../pages/bank/server/live/redact.ts';

const raw = (call: Partial<RawCall>): RawCall => ({
  ...{ at: 0, method: 'POST', path: '/omi/push/user/u', request: undefined, status: 202, answer: '', ms: 3 },
  ...call,
});

const nonce = 'n'.repeat(22);

test.each(['confirmed', 'denied', 'expired', 'cancelled', 'failed'])(
  'the nonce is shown once the confirmation is %s',
  (status) => {
    const call = redacted(
      raw({ path: `/omi/push/confirmation?nonce=${nonce}`, answer: JSON.stringify({ nonce, status }) }),
    );
    expect(call).toMatchObject({ path: `/omi/push/confirmation?nonce=${nonce}`, answer: { nonce, status } });
  },
);

test.each([
  {
    request: JSON.stringify({ nonce, message: 'Pay?' }),
    answer: JSON.stringify({ nonce, status: 'pending' }),
  },
  { path: `/omi/push/confirmation?nonce=${nonce}`, answer: JSON.stringify({ nonce, status: 'pending' }) },
  { path: `/omi/push/confirmation?nonce=${nonce}`, status: 404, answer: '{"code":"confirmation-not-found"}' },
  { method: 'DELETE', path: `/omi/push/confirmation?nonce=${nonce}`, status: 204 },
  { method: 'DELETE', path: `/omi/users/u/devices/d?confirmation=${nonce}`, status: 204 },
  { path: '/omi/enrol/qr', request: JSON.stringify({ userId: 'u', confirmation: nonce }) },
  { path: '/omi/enrol/qr', answer: JSON.stringify({ qr: `https://app/enrol#v=1&code=${nonce}&api=x` }) },
])('nothing else shows a nonce or a code: %j', (call) => {
  expect(JSON.stringify(redacted(raw(call)))).not.toContain(nonce);
});

test('text that is not JSON, or is too long, is omitted', () => {
  expect(redacted(raw({ answer: '<html>' }))).not.toHaveProperty('answer');
  expect(redacted(raw({ answer: JSON.stringify({ text: 'x'.repeat(20_000) }) }))).not.toHaveProperty(
    'answer',
  );
  expect(redacted(raw({ request: '{"a":1}', answer: '[1]' }))).toMatchObject({
    request: { a: 1 },
    answer: [1],
  });
});
