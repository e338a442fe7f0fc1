import { expect, test } from '@jest/globals';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import { formText } from '../../../core/http/request-bodies.ts';

const form = (bytes: Buffer): ApiEvent =>
  ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  }) as unknown as ApiEvent;

test('a form is UTF-8', () => {
  expect(formText(form(Buffer.from('binding_message=Müller')))).toBe('binding_message=Müller');
  expect(() => formText(form(Buffer.from('binding_message=Müller', 'latin1')))).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: 'Expected a form in UTF-8.' }),
  );
});
