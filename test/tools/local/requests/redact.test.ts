import { describe, expect, test } from '@jest/globals';
import { redacted, redactedPairs } from '../../../../tools/local/requests/redact.ts';
import { shownOf } from '../../../../tools/local/requests/shown.ts';
import type { Exchange } from '../../../../tools/local/requests/exchange.ts';

const jws = `${'a'.repeat(40)}.${'b'.repeat(80)}.${'c'.repeat(86)}`;

describe('what the viewer shows of a value', () => {
  test('has the beginning of a nonce, and nothing of what acts as somebody', () => {
    const sent = {
      nonce: '0123456789abcdef0123',
      message: 'Pay 16.00 €?',
      matchCode: '42',
      number: 42,
      pushToken: 'fcm-token',
      webPush: { endpoint: 'https://push.example', keys: { auth: 'a', p256dh: 'b' } },
      nested: [{ client_secret: 'secret', evidence: jws }],
      delivery: { authorization_header: 'Bearer x' },
    };
    expect(redacted(sent, true)).toEqual({
      nonce: '012345… (20 characters)',
      message: 'Pay 16.00 €?',
      matchCode: 'hidden (2 characters)',
      number: 'hidden',
      pushToken: 'hidden (9 characters)',
      webPush: 'hidden',
      nested: [{ client_secret: 'hidden (6 characters)', evidence: 'signed (208 characters)' }],
      delivery: { authorization_header: 'hidden (8 characters)' },
    });
  });

  test('has the code of an error, and not that of an enrolment', () => {
    expect(redacted({ code: 'device-not-found' }, false)).toEqual({ code: 'device-not-found' });
    expect(redacted({ code: 'AbCdEf' }, true)).toEqual({ code: 'hidden (6 characters)' });
  });

  test('has no secret of a query or a form', () => {
    const form = new URLSearchParams({
      grant_type: 'x',
      client_secret: 'secret',
      auth_req_id: 'id',
      nonce: '1234567890',
    });
    expect(redactedPairs(form)).toEqual({
      grant_type: 'x',
      client_secret: 'hidden (6 characters)',
      auth_req_id: 'hidden (2 characters)',
      nonce: '123456… (10 characters)',
    });
  });
});

describe('a call', () => {
  const exchange = (body: string, contentType: string): Exchange => ({
    ...{ requestId: 'id', at: 0, tookMs: 1, trace: '' },
    request: {
      ...{ method: 'POST', rawPath: '/omi/device/challenges/abc/response', rawQueryString: '', query: {} },
      headers: { 'content-type': contentType, authorization: `Bearer ${jws}`, dpop: jws },
      ...{ cookies: ['session=1'], body: Buffer.from(body), protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
    },
    response: { status: 204, headers: {}, body: '' },
  });

  test('is shown without its headers, its cookies and a signed body', () => {
    const shown = shownOf(1, exchange(jws, 'application/jose'), []);
    expect(shown.request).toBe('208 characters of application/jose');
    expect(JSON.stringify(shown)).not.toContain(jws.slice(0, 60));
    expect(JSON.stringify(shown)).not.toContain('session=1');
    expect(shown.challengeId).toBe('abc');
  });

  test('has the members of a form', () => {
    const shown = shownOf(
      1,
      exchange('client_secret=s&scope=openid', 'application/x-www-form-urlencoded'),
      [],
    );
    expect(shown.request).toEqual({ client_secret: 'hidden (1 characters)', scope: 'openid' });
  });
});
