import { Option } from 'commander';
import * as v from 'valibot';
import type { PublicJwk } from '../../core/access/public-jwk.ts';
import { faultOfReceiverUrl } from '../../core/outbound/receiver-url.ts';
import { UsageError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { checkedOption, listOption } from '../options.ts';
import { readJwks } from './jwks-file.ts';

/** What a client can register for callbacks, for OpenID Connect and for the way back from an app. False removes it. */
export type RegistrationOptions = {
  jwks?: string;
  callbackUrl?: string | false;
  notificationUrl?: string | false;
  resource?: string | false;
  returnOrigin?: string[] | false;
  profile?: 'default' | 'fapi';
};

/** The same, checked, with the keys of the file. */
export type Registered = Omit<RegistrationOptions, 'jwks'> & { keys?: PublicJwk[] };

/** RFC 8707, section 2: an absolute URI without a fragment. */
const resource = v.pipe(
  v.string(),
  v.maxLength(512),
  v.check((text) => URL.canParse(text) && !text.includes('#') && !/\s/.test(text)),
);

const webOrigin = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).origin === text),
);

export const registrationOptions = (): Option[] => [
  new Option(
    '--jwks <file>',
    'public keys by which the client authenticates itself at the OpenID Connect endpoints, in place of a secret: a JWK Set with ES256 or RS256 keys',
  ),
  new Option(
    '--callback-url <url>',
    'where the service reports the end of each confirmation that the client asked for',
  ),
  new Option('--notification-url <url>', "where the client is pinged in CIBA's ping mode"),
  checkedOption(
    '--resource <uri>',
    'the audience of the access tokens that the client gets by CIBA',
    resource,
    {
      expected: 'an absolute URI without a fragment',
      example: 'https://api.bank.example',
    },
  ),
  new Option(
    '--profile <profile>',
    'fapi: the client signs its requests by CIBA, and its access tokens are bound to a key (FAPI-CIBA). Needs ES256 keys',
  ).choices(['default', 'fapi']),
  listOption(
    '--return-origin <origin>',
    'an origin of the website, to which apps may lead its users back; may be repeated',
    webOrigin,
    { expected: 'an origin without a path', example: 'https://shop.example.com' },
  ),
];

/** After their opposites: on its own, commander would set the default of an option to true. */
export const removalOptions = (): Option[] => [
  new Option('--no-callback-url', 'ends the callbacks. Waiting ones are not sent'),
  new Option('--no-notification-url', 'ends the pings'),
  new Option('--no-resource', "the client's id is the audience again"),
  new Option('--no-return-origin', 'apps lead nobody back'),
];

/** @throws {UsageError} */
export async function readRegistration(
  { stage }: Deployment,
  { jwks, callbackUrl, notificationUrl, resource: audience, returnOrigin, profile }: RegistrationOptions,
): Promise<Registered> {
  const isLocal = stage === 'local';
  checkUrl('--callback-url', callbackUrl, isLocal);
  checkUrl('--notification-url', notificationUrl, isLocal);
  if (returnOrigin) checkReturnOrigins(returnOrigin, isLocal);
  return {
    ...(jwks !== undefined && { keys: await readJwks(jwks) }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(notificationUrl !== undefined && { notificationUrl }),
    ...(audience !== undefined && { resource: audience }),
    ...(returnOrigin !== undefined && { returnOrigin }),
    ...(profile !== undefined && { profile }),
  };
}

/** @throws {UsageError} if the keys are not those that the profile needs */
export function requireKeysOf(
  profile: RegistrationOptions['profile'],
  keys: readonly PublicJwk[] = [],
): void {
  if (profile !== 'fapi' || (keys.length > 0 && keys.every(({ alg }) => alg === 'ES256'))) return;
  throw new UsageError('--profile fapi: expected --jwks with keys for ES256 alone.');
}

function checkUrl(option: string, url: string | false | undefined, isLocal: boolean): void {
  const fault = url ? faultOfReceiverUrl(url, isLocal) : undefined;
  if (fault !== undefined) throw new UsageError(`${option}: ${fault}`);
}

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** A website on this machine has no certificate. */
function checkReturnOrigins(origins: readonly string[], isLocal: boolean): void {
  const refused = origins.find(
    (origin) => !origin.startsWith('https://') && !(isLocal && loopback.test(origin)),
  );
  if (refused !== undefined)
    throw new UsageError(`--return-origin: expected an origin that begins with https://, not ${refused}`);
}
