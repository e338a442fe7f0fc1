import * as v from 'valibot';
import { endpointsOf } from '../../../core/openid/endpoints.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkUrl, jsonOf } from '../check-url.ts';
import type { Probe } from '../probe.ts';

const deployAgain =
  'Deploy the stage again (npx cdk deploy --all), and see the logs of the Lambdas openid-configuration and oauth-jwks.';

/** The documents by which OpenID Connect clients find the service, and verify its tokens. */
export const openidProbe: Probe = {
  name: 'openid',
  check: async ({ baseUrl }) =>
    await Promise.all([
      checkUrl(`${baseUrl}/.well-known/openid-configuration`, {
        is: 'names this issuer',
        fault: async (response) => await discoveryFault(response, baseUrl),
        fix: deployAgain,
      }),
      checkUrl(endpointsOf(baseUrl).jwks, {
        is: 'has the keys that verify tokens',
        fault: keysFault,
        fix: deployAgain,
      }),
    ]),
};

const discovery = v.object({ issuer: v.string(), jwks_uri: v.string() });

async function discoveryFault(
  response: Response,
  baseUrl: Deployment['baseUrl'],
): Promise<string | undefined> {
  const found = v.safeParse(discovery, await jsonOf(response));
  if (!found.success) return 'is not a discovery document';
  const { issuer, jwks_uri: jwks } = found.output;
  if (issuer !== baseUrl) return `names the issuer ${issuer}, not ${baseUrl}: clients reject its tokens`;
  const expected = endpointsOf(baseUrl).jwks;
  return jwks === expected ? undefined : `names the keys at ${jwks}, not ${expected}`;
}

const keySet = v.object({
  keys: v.pipe(v.array(v.object({ kty: v.literal('EC'), alg: v.literal('ES256') })), v.minLength(1)),
});

const keysFault = async (response: Response): Promise<string | undefined> =>
  v.is(keySet, await jsonOf(response)) ? undefined : 'has no key that verifies tokens';
