import { expect, test } from '@jest/globals';
import { siteHeaders } from '../../../pages/bank/headers.ts';
import { securityHeaders } from '../../../pages/app/headers.ts';

const policy = siteHeaders['Content-Security-Policy'] ?? '';

test.each([
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
])('the policy has %s', (directive) => {
  expect(policy.split('; ')).toContain(directive);
});

test('nothing inline and nothing of others', () => {
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:|blob:/);
});

test('the page gets no power of the device, and all else as the web app', () => {
  expect(siteHeaders['Permissions-Policy']).not.toContain('self');
  expect(Object.keys(siteHeaders)).toEqual(Object.keys(securityHeaders));
  expect(siteHeaders).toMatchObject({
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
});
