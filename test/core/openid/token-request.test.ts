import { expect, test } from '@jest/globals';
import { Form } from '../../../core/openid/form.ts';
import { readTokenRequest } from '../../../core/openid/token-request.ts';

const grant = 'grant_type=urn:openid:params:grant-type:ciba';
const read = (text: string): string => readTokenRequest(new Form(text));

test('a token request names the request whose tokens it wants, and unknown parameters are ignored', () => {
  expect(read(`${grant}&auth_req_id=id`)).toBe('id');
  expect(read(`${grant}&auth_req_id=id&resource=a&audience=b`)).toBe('id');
});

test.each([
  ['a repeated unknown parameter', `${grant}&auth_req_id=id&resource=a&resource=b`, 'invalid_request'],
  ['two requests', `${grant}&auth_req_id=id&auth_req_id=other`, 'invalid_request'],
  ['no grant', 'auth_req_id=id', 'invalid_request'],
  ['no request', `${grant}&auth_req_id=`, 'invalid_request'],
  ['another grant', 'grant_type=client_credentials&auth_req_id=id', 'unsupported_grant_type'],
  ['another grant with the same beginning', `${grant}2&auth_req_id=id`, 'unsupported_grant_type'],
])('a token request is refused with %s', (_, text, code) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code }));
});
