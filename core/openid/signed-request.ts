import { compactVerify, decodeProtectedHeader, errors, importJWK, type JWK } from 'jose';
import * as v from 'valibot';
import type { RegisteredClient } from '../access/registered-client.ts';
import type { BaseUrls } from '../kernel/base-urls.ts';
import { isObject } from '../kernel/json.ts';
import { parseUnambiguous } from '../kernel/strict-json.ts';
import { minutes, seconds } from '../kernel/time.ts';
import { decodeUtf8 } from '../kernel/utf8.ts';
import { withoutFinalSlash } from './client-assertion.ts';
import { Form } from './form.ts';
import { invalidRequest } from './oauth-error.ts';

/** How long a request may be valid, and how old it may be (FAPI-CIBA, section 5.2.2). */
const longestLifetimeMs = 60 * minutes;
/** How far a client's clock may be ahead. */
const longestLeadMs = 60 * seconds;
/** Levels of JSON: the details' own, and those around them. */
const deepest = 10;

/** CIBA Core 1.0, section 7.1.1: everything but the authentication of the client is in the signed request. */
const beside = ['request', 'client_id', 'client_assertion', 'client_assertion_type'];

/** The claims of the JWT itself. */
const registered = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti'];

const date = v.pipe(v.number(), v.finite());
const claimsOf = (clientId: string) =>
  v.looseObject({
    iss: v.literal(clientId),
    aud: v.union([v.string(), v.array(v.string())]),
    exp: date,
    iat: date,
    nbf: date,
    jti: v.pipe(v.string(), v.nonEmpty()),
  });

type Expected = { client: RegisteredClient; issuers: BaseUrls; now: number };

/**
 * The parameters of a signed authentication request (CIBA Core 1.0, section 7.1.1).
 *
 * @throws {OAuthError} `invalid_request`
 */
export async function readSignedRequest(form: Form, { client, issuers, now }: Expected): Promise<Form> {
  form.checkUnrepeated();
  const request = form.get('request');
  if (request === undefined)
    throw invalidRequest('Expected a signed request: this client has the profile fapi.');
  if (form.names.some((name) => !beside.includes(name)))
    throw invalidRequest('Expected all parameters of the request in the signed request, and none beside it.');
  const payload = await verified(request, client);
  const result = v.safeParse(claimsOf(client.clientId), payload);
  if (!result.success)
    throw invalidRequest(
      'Expected the claims iss (the client id), aud, exp, iat, nbf and jti in the request.',
    );
  checkClaims(result.output, issuers, now);
  const parameters = Object.entries(payload)
    .filter(([name]) => !registered.includes(name))
    .map(([name, value]): [string, string] => [name, textOf(value)]);
  return new Form(new URLSearchParams(parameters).toString());
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The payload of the request, signed by a key of the client. */
async function verified(request: string, { keys = [] }: RegisteredClient): Promise<Record<string, unknown>> {
  for (const key of keys.filter(({ alg }) => alg === 'ES256')) {
    const payload = await payloadIfSigned(request, key as JWK);
    if (payload) return payload;
  }
  throw invalidRequest('Expected a request that is signed with ES256 by a key of the client.');
}

async function payloadIfSigned(request: string, key: JWK): Promise<Record<string, unknown> | undefined> {
  try {
    if (decodeProtectedHeader(request).crit !== undefined) return undefined;
    const { payload } = await compactVerify(request, await importJWK(key, 'ES256'), {
      algorithms: ['ES256'],
    });
    const value = parseUnambiguous(decodeUtf8(payload), deepest);
    return isObject(value) ? value : undefined;
  } catch (error) {
    const isFaultOfInput =
      error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError;
    if (!isFaultOfInput) throw error;
    return undefined;
  }
}

type Claims = v.InferOutput<ReturnType<typeof claimsOf>>;

function checkClaims({ aud, exp, iat, nbf }: Claims, issuers: BaseUrls, now: number): void {
  if (![aud].flat().some((one) => issuers.includes(withoutFinalSlash(one))))
    throw invalidRequest('Expected the claim aud of the request to be the issuer.');
  if (exp * seconds <= now) throw invalidRequest('The request has expired.');
  if ((exp - nbf) * seconds > longestLifetimeMs || now - nbf * seconds > longestLifetimeMs)
    throw invalidRequest('Expected a request that is valid for 60 minutes at most.');
  if (Math.max(iat, nbf) * seconds > now + longestLeadMs)
    throw invalidRequest('The request is not valid yet.');
}
