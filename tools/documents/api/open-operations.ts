import { tenantPath } from '../../../core/http/request-schemas.ts';
import type { Route } from '../../../lambdas/routes.ts';
import { exampleAnswers, exampleRequests } from './examples.ts';
import { exampleSignals } from './signals-examples.ts';
import type { OpenOperation } from './operation.ts';

type OpenLambda = Extract<Route, { caller: 'anyone' }>['lambda'];

export const openOperations: Record<OpenLambda, OpenOperation> = {
  'preview-enrolment': {
    tag: 'device',
    summary: 'Read whose account a code is for',
    description:
      'Call it as soon as a QR code was scanned, and show `tenant` and `account` before you ask the user for anything. So a user notices a ' +
      'code of somebody else, and learns at once that a code cannot be used. The code is the only credential, and stays usable.',
    body: {
      schema: 'EnrolmentPreviewRequest',
      examples: { code: { summary: 'A code', value: exampleRequests.preview } },
    },
    success: {
      status: 200,
      description: 'The code can be used.',
      content: {
        schema: 'EnrolmentPreview',
        examples: {
          labelled: { summary: 'With a label', value: exampleAnswers.preview },
          unlabelled: { summary: 'Without a label', value: exampleAnswers.previewWithoutLabel },
        },
      },
    },
  },
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
  'get-brand': {
    tag: 'device',
    summary: 'Read how to present a tenant',
    description:
      "The tenant's brand, for apps. Show it beside `context.requester`, never in its place: what is signed names the tenant by its " +
      'registered name. The colour may be any: choose the colour of texts on it by their contrast. It needs no credentials.',
    path: tenantPath,
    success: {
      status: 200,
      description: 'The brand. A tenant without one has only its registered name here.',
      cacheable: true,
      content: {
        schema: 'Brand',
        examples: {
          branded: { summary: 'With a brand', value: exampleAnswers.brand },
          plain: { summary: 'Without one', value: exampleAnswers.brandlessTenant },
        },
      },
    },
  },
  'get-logo': {
    tag: 'device',
    summary: "Read a tenant's logo",
    description:
      '`logoUrl` of the brand leads here. Show it as an image. An SVG has shapes and colours only, and the answer has a ' +
      'Content-Security-Policy by which it runs and loads nothing. It needs no credentials.',
    path: tenantPath,
    success: {
      status: 200,
      description: 'The file, of at most 32 KB.',
      cacheable: true,
      files: ['image/svg+xml', 'image/png'],
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
  'omi-keys': {
    tag: 'openid',
    summary: 'Read every key that ever signed',
    description:
      'All public keys with which the service signed tokens and receipts of enrolments, with the time of each: also those that were replaced ' +
      'or deleted. Compare `for`: a key has one use. So a receipt can be verified years later. It needs no credentials.',
    success: {
      status: 200,
      description: 'The keys. One is added with a deployment, and none is ever removed.',
      cacheable: true,
      content: {
        schema: 'PublishedKeys',
        examples: { keys: { summary: 'A key of each use', value: exampleAnswers.publishedKeys } },
      },
    },
  },
  'ssf-configuration': {
    tag: 'signals',
    summary: 'Discover the transmitter',
    description: 'OpenID Shared Signals Framework 1.0, section 7. It needs no credentials.',
    success: {
      status: 200,
      description: 'The metadata. It changes only with a deployment.',
      cacheable: true,
      content: {
        schema: 'TransmitterMetadata',
        examples: { metadata: { summary: 'Metadata', value: exampleSignals.metadata } },
      },
    },
  },
  'ssf-jwks': {
    tag: 'signals',
    summary: 'Read the keys that verify signals',
    description:
      'The public keys of signals, as a JWK set (RFC 7517). A signal names its key by `kid`. During a rotation there are two. It needs no credentials.',
    success: {
      status: 200,
      description: 'The keys. They change only with a deployment.',
      cacheable: true,
      content: {
        schema: 'SignalKeySet',
        examples: { keys: { summary: 'One key', value: exampleSignals.keys } },
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
