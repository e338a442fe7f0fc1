import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { createTargets } from './targets.ts';

const replacement = (name: string) => fileURLToPath(new URL(`../replacements/${name}.ts`, import.meta.url));

const anyClient = '/@smithy/core/';

/**
 * Parts of the AWS SDK, and of Powertools, that a Lambda of this service cannot use, each with what stands in for it, and with what brings
 * it into a bundle. They make two thirds of a bundle otherwise, and the time to load it is most of a cold start.
 */
const replacements: { imported: RegExp; with: string; by: string }[] = [
  {
    imported: /^@aws-sdk\/credential-provider-node$/,
    with: anyClient,
    by: replacement('environment-credentials'),
  },
  { imported: /\/loadSharedConfigFiles$/, with: anyClient, by: replacement('no-config-files') },
  {
    imported: /^@aws-sdk\/middleware-endpoint-discovery$/,
    with: '/@aws-sdk/client-dynamodb/',
    by: replacement('no-endpoint-discovery'),
  },
  {
    imported: /^@smithy\/core\/event-streams$/,
    with: '/@aws-sdk/client-kinesis/',
    by: replacement('no-event-streams'),
  },
  { imported: /^\.\/HeaderFormatter$/, with: '/@smithy/signature-v4/', by: replacement('no-event-streams') },
  {
    imported: /^@aws-sdk\/signature-v4-multi-region$/,
    with: '/@aws-sdk/client-sts/',
    by: replacement('one-region-signer'),
  },
  { imported: /^\.\/node-http2-handler$/, with: '/@smithy/node-http-handler/', by: replacement('no-http2') },
  {
    imported: /\/emitWarningIfUnsupportedVersion$/,
    with: '/@aws-sdk/core/',
    by: replacement('supported-node'),
  },
  { imported: /\/check-features$/, with: '/@aws-sdk/core/', by: replacement('no-feature-report') },
  { imported: /\/loggerMiddleware$/, with: '/@aws-sdk/core/', by: replacement('no-call-log') },
  { imported: /\/resolveDefaultsModeConfig$/, with: anyClient, by: replacement('legacy-defaults') },
  { imported: /\/service-customizations$/, with: anyClient, by: replacement('plain-bucket-names') },
  { imported: /\/Sha256Js$/, with: anyClient, by: replacement('unreachable') },
  { imported: /\/util-retry\/AdaptiveRetryStrategy$/, with: anyClient, by: replacement('unreachable') },
  {
    imported: /^\.\/logBuffer\.js$/,
    with: '/@aws-lambda-powertools/logger/',
    by: replacement('unreachable'),
  },
  { imported: /\/getInstanceMetadataRegion$/, with: anyClient, by: replacement('unreachable') },
];

/** Puts the replacements in place; a part that is not where it was ends the build. */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    const targets = createTargets(build);
    for (const { imported, with: reason, by } of replacements) {
      const target = targets.expect(`the import ${String(imported)}`, reason);
      build.onResolve({ filter: imported }, () => {
        target.found();
        return { path: by };
      });
    }
  },
};
