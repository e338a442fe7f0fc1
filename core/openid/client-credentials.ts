import { type ClientAssertion, readAssertion } from './client-assertion.ts';
import { decodeFormText, type Form } from './form.ts';
import { invalidClient, invalidRequest } from './oauth-error.ts';

/** What a client authenticates itself with. Nothing of it is verified. */
export type ClientCredentials = { clientId: string; secret: string } | ClientAssertion;

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Reads the credentials of `client_secret_basic`, `client_secret_post` or `private_key_jwt` (OpenID Connect Core 1.0,
 * section 9).
 *
 * @throws {OAuthError} `invalid_client`, or `invalid_request` for several methods at once
 */
export function readCredentials(authorization: string | undefined, form: Form): ClientCredentials {
  const [secret, assertion] = [form.get('client_secret'), form.get('client_assertion')];
  const methods = [authorization, secret, assertion ?? form.get('client_assertion_type')];
  if (methods.filter((method) => method !== undefined).length > 1)
    throw invalidRequest('Expected one method of client authentication.');
  const named = form.get('client_id');
  const credentials = credentialsOf(authorization, secret, assertion, form);
  if (named !== undefined && named !== credentials.clientId)
    throw invalidClient('Expected a client_id that is the authenticated client.');
  return credentials;
}

function credentialsOf(
  authorization: string | undefined,
  secret: string | undefined,
  assertion: string | undefined,
  form: Form,
): ClientCredentials {
  if (authorization !== undefined) return readBasic(authorization);
  const clientId = form.get('client_id');
  if (secret !== undefined && clientId !== undefined) return { clientId, secret };
  if (assertion === undefined)
    throw invalidClient('Expected client_secret_basic, client_secret_post or private_key_jwt.');
  if (form.get('client_assertion_type') === assertionType) return readAssertion(assertion);
  throw invalidClient(`Expected client_assertion_type=${assertionType}.`);
}

/** RFC 6749, section 2.3.1: id and secret are form-encoded before they are joined. */
function readBasic(header: string): ClientCredentials {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  try {
    const [clientId, secret] = [decodeFormText(id), decodeFormText(rest.join(':'))];
    if (clientId !== '' && secret !== '') return { clientId, secret };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw invalidClient('Expected the header Authorization: Basic with a client id and secret.');
}
