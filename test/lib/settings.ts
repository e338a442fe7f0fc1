/** Settings of stages, for those who synthesize them in another process, too: nothing of the CDK is loaded for them. */
import { readFileSync } from 'node:fs';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };

/** The context of cdk.json, with these settings of the stage. */
export const contextOf = (stage: string, settings: object = {}): Record<string, unknown> => ({
  ...context,
  // Where a resource was made is not in its template, and takes a fifth of the time to find out.
  'aws:cdk:disable-creation-stack-traces': true,
  stage,
  stages: { [stage]: { appLink: 'https://app.omi.test', ...settings } },
});

/** An API behind CloudFront. */
export const behindCloudFront = {
  api: {
    domain: {
      name: 'api.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/regional',
    },
    edge: { certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/global' },
  },
};

/** An API that has had two other URLs. */
export const moved = {
  api: {
    domain: behindCloudFront.api.domain,
    formerBaseUrls: ['https://old.example.com', 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'],
  },
};

/**
 * Settings that have nothing to do with one another, in one synthesis: each takes half a second of a processor.
 */
export const severalSettings = {
  api: {
    unauthorizedBy: 'gateway',
    routeThrottles: { 'POST /omi/events': { rate: 5, burst: 10 } },
    corsOrigins: ['https://www.example.com'],
    domain: behindCloudFront.api.domain,
  },
  webPush: { allowedHosts: ['push.example.com', '*.push.example.org'] },
  data: { customerManagedKey: true },
  push: { apns: { secretName: 'omi/apns', revision: '2' } },
  exportsPage: {
    domain: {
      name: 'exports.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/exports',
    },
  },
  webApp: {
    brand: {
      ...{ name: 'Example Confirm', shortName: 'Confirm', color: '#0a4d9c', languages: ['de'] },
      ...{ imprintUrl: 'https://example.com/imprint', privacyUrl: 'https://example.com/privacy' },
    },
  },
};

/** Every setting of an issuer that is not the service's own. */
export const oidc = {
  identity: {
    kind: 'oidc',
    issuer: 'https://id.example.com',
    audience: 'omi',
    tenantClaim: 'org',
    tokenUrl: 'https://id.example.com/token',
  },
};

/** An issuer of which nothing else is known. */
export const bareOidc = { identity: { kind: 'oidc', issuer: 'https://id.example.com' } };

/** An issuer of the operator, who signs in members of staff and of tenants. */
export const ownIssuer = {
  staff: {
    kind: 'oidc',
    issuer: 'https://login.example.com',
    clientId: 'help-desk',
    exportsClientId: 'exports',
    authorizationUrl: 'https://login.example.com/authorize',
    tokenUrl: 'https://token.example.com/token',
  },
};

/** Settings with credentials for every platform. */
export const everyPlatform = {
  notices: { mailFrom: 'omi@example.com' },
  push: {
    fcm: { secretName: 'omi/fcm' },
    apns: { secretName: 'omi/apns' },
    apnsSandbox: { secretName: 'omi/apns' },
  },
};
