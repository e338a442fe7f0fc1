import { describe, expect, test } from '@jest/globals';
import { splitEvents } from '../../../../../core/export/delivery/split-events.ts';
import {
  explainWebhookError,
  SecretUnavailable,
  webhookFaultOf,
} from '../../../../../core/export/kinds/webhook/webhook-faults.ts';

const url = 'https://events.example.com/omi?token=secret';
const failed = (code: string): Error => Object.assign(new Error(`failed: ${url}`), { code });

describe('a call without an answer', () => {
  test.each([
    ['CERT_HAS_EXPIRED', 'tenant', 'Webhook.CERT_HAS_EXPIRED', /certificate is not valid/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tenant', 'Webhook.DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tenant', 'Webhook.UNABLE_TO_VERIFY_LEAF_SIGNATURE', /chain/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tenant', 'Webhook.ERR_TLS_CERT_ALTNAME_INVALID', /this host/],
    ['ENOTFOUND', 'tenant', 'Webhook.ENOTFOUND', /DNS/],
    ['ECONNREFUSED', 'tenant', 'Webhook.ECONNREFUSED', /start it/],
    ['EAI_AGAIN', 'nobody', 'Webhook.NoAnswer', /EAI_AGAIN/],
    ['ECONNRESET', 'nobody', 'Webhook.NoAnswer', /ECONNRESET/],
    ['ABORT_ERR', 'nobody', 'Timeout', /in time/],
  ])('%s requires action by: %s', (name, actor, code, reason) => {
    const fault = explainWebhookError(failed(name));
    expect(fault).toMatchObject({ actor, code, reason: expect.stringMatching(reason) });
    expect(JSON.stringify(fault)).not.toContain('token');
  });

  test.each([
    ['AccessDeniedException', 'operator'],
    ['ThrottlingException', 'nobody'],
  ])('%s of KMS requires action by: %s', (name, actor) => {
    const cause = Object.assign(new Error('no'), { name });
    expect(explainWebhookError(new SecretUnavailable('closed', { cause }))).toMatchObject({ actor });
  });
});

test('a receiver can delay its events by a day at most', () => {
  const fault = webhookFaultOf({ status: 429, retryAfter: '9999999' }, 1_000);
  expect(fault?.notBefore).toBe(1_000 + 24 * 3_600_000);
  expect(webhookFaultOf({ status: 204, retryAfter: '9' }, 0)).toBeUndefined();
});

test('packed events are split only between events', () => {
  const events = ['{"a":{"b":"}, {"}}', String.raw`{"c":"\"},{\\"}`, '{"d":[{},{}],"e":1.0}'];
  expect(splitEvents(events.join(','))).toEqual(events);
});
