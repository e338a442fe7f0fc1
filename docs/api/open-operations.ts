import type { Route } from '../../lambdas/routes.ts';
import { exampleAnswers } from './examples.ts';
import type { OpenOperation } from './operation.ts';

type OpenLambda = Extract<Route, { caller: 'anyone' }>['lambda'];

export const openOperations: Record<OpenLambda, OpenOperation> = {
  'device-settings': {
    tag: 'device',
    summary: 'Read the settings for web apps',
    description:
      'What a web app must know before it subscribes to pushes or creates a passkey. It needs no credentials, and it is the same for all ' +
      'tenants and devices.',
    success: {
      status: 200,
      description: 'The settings. They change only with a deployment.',
      cacheable: true,
      content: {
        schema: 'DeviceSettings',
        examples: { settings: { summary: 'Settings', value: exampleAnswers.deviceSettings } },
      },
    },
  },
  'openid-configuration': {
    tag: 'openid',
    summary: 'Discover the endpoints',
    description:
      'OpenID Connect Discovery 1.0, with the members of CIBA Core 1.0. An OpenID Connect client needs only the issuer, which is the ' +
      'base URL. It needs no credentials.',
    success: {
      status: 200,
      description: 'The metadata. It changes only with a deployment.',
      cacheable: true,
      content: {
        schema: 'ProviderMetadata',
        examples: { metadata: { summary: 'Metadata', value: exampleAnswers.providerMetadata } },
      },
    },
  },
  'oauth-jwks': {
    tag: 'openid',
    summary: 'Read the keys that verify tokens',
    description:
      'The public keys of ID tokens and access tokens of the token endpoint, as a JWK set (RFC 7517). A token names its key by `kid`. During a ' +
      'rotation there are two keys: read the set again when a token names a key that you do not know. It needs no credentials.',
    success: {
      status: 200,
      description: 'The keys. They change only with a deployment.',
      cacheable: true,
      content: {
        schema: 'KeySet',
        examples: { keys: { summary: 'One key', value: exampleAnswers.keySet } },
      },
    },
  },
};
