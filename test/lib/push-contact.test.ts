import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { pushContact } from '../../lib/config-schemas.ts';

test.each([
  'mailto:security@example.com',
  'mailto:First.Last+push@Bank.de',
  'https://example.com',
  'https://www.example.com/contact?for=push',
])('the contact for push services may be %s', (contact) => {
  expect(v.is(pushContact, contact)).toBe(true);
});

test.each([
  'mailto:ops@omi.local',
  'mailto:a@b.invalid',
  'mailto:ops@example.test',
  'mailto:ops@bank.example',
  'mailto:ops@build.internal',
  'mailto:ops@app.localhost',
  'mailto:<ops@bank.de>',
  'mailto:ops@bank..de',
  'mailto:ops..push@bank.de',
  'mailto:ops@bank',
  'mailto:ops@a@bank.de',
  'ops@bank.de',
  'https://intranet',
  'https://intranet.corp',
  'https://192.168.0.1',
  'https://[::1]/',
  'https:bank.de',
  'https://user@bank.de',
  'https://bank.de:8443',
  'http://bank.de',
])('the contact for push services may not be %s: Apple refuses all pushes with it', (contact) => {
  expect(v.is(pushContact, contact)).toBe(false);
});
