import { cibaGrantType } from './provider-metadata.ts';
import type { Form } from './form.ts';
import { invalidRequest, OAuthError } from './oauth-error.ts';

/**
 * Reads a token request (CIBA Core 1.0, section 10.1).
 *
 * @returns the `auth_req_id`
 * @throws {OAuthError}
 */
export function readTokenRequest(form: Form): string {
  form.checkUnrepeated();
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw invalidRequest('Expected the parameter grant_type.');
  if (grantType !== cibaGrantType)
    throw new OAuthError('unsupported_grant_type', `Expected the grant_type ${cibaGrantType}.`);
  const authReqId = form.get('auth_req_id');
  if (authReqId === undefined) throw invalidRequest('Expected the parameter auth_req_id.');
  return authReqId;
}
