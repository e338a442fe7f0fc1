import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/**
 * Parts of the AWS SDK that a Lambda of this service cannot use, by the module of `stubs/` that replaces them. Without the
 * stubs a bundle is twice as large, and most of a cold start is the time to load it.
 */
export const stubs: Readonly<Record<string, readonly RegExp[]>> = {
  'credentials-stub': [/^@aws-sdk\/credential-provider-node$/],
  'event-streams-stub': [/^@smithy\/core\/event-streams$/, /^\.\/HeaderFormatter$/],
  'http2-stub': [/^\.\/node-http2-handler$/],
  'signer-stub': [/^@aws-sdk\/signature-v4-multi-region$/],
  'no-op-stub': [
    /\/loadSharedConfigFiles$/,
    /^@aws-sdk\/middleware-endpoint-discovery$/,
    /\/service-customizations$/,
  ],
  'unreachable-stub': [
    /\/(Sha256|Sha1|Md5)Js$/,
    /\/util-retry\/AdaptiveRetryStrategy$/,
    /\/getInstanceMetadataRegion$/,
    /\/(sdk-stream-mixin|createChecksumStream|getAwsChunkedEncodingStream)\.browser$/,
  ],
};

/**
 * Modules that do nothing when they are loaded, although their package does not say so. esbuild leaves them out where nothing
 * uses them. Paginators would bring their commands into each bundle.
 */
const withoutEffects = /\/(Scan|Query)Paginator$/;

const pathOf = (stub: string): string => fileURLToPath(new URL(`stubs/${stub}.ts`, import.meta.url));

/**
 * The errors of DynamoDB, KMS and SNS that have classes of their own in a bundle: those that this service tells apart by class,
 * those that the SDK repeats by a mark of their class, and what operators look for in the log. Any other has its client's base
 * class, and is named as the service names it in its answer. The classes and schemas of all errors were a tenth of a bundle.
 */
const errorsWithClass = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'ReplicatedWriteConflictException',
  'AuthorizationErrorException',
  'EndpointDisabledException',
  'InvalidParameterException',
  'NotFoundException',
  'PlatformApplicationDisabledException',
  'ThrottledException',
]);

const withFewErrors = /\/client-(dynamodb|kms|sns)\//;

const withoutOtherErrors = (schemas: string): string =>
  schemas.replace(/^n0_registry\.registerError\((\w+)\$, .*\n/gm, (registration, name: string) =>
    errorsWithClass.has(name) ? registration : '',
  );

/**
 * A schema whose keys are constants (`{ [_hE]: 404 }`) stays in a bundle that does not use it, because the keys could be objects
 * that do something when they become texts. With the texts themselves esbuild leaves it out.
 */
function withPlainKeys(schemas: string): string {
  const constants = Array.from(schemas.matchAll(/^const (\w+) = (".*");$/gm));
  const texts = new Map(constants.map(([, name = '', text = '']) => [name, text]));
  return schemas.replace(/\[(\w+)\]: /g, (key, name: string) => `${texts.get(name) ?? key}: `);
}

/** Replaces these imports. A test fails if one of them no longer exists, for instance after an upgrade of the SDK. */
export const stubSdk: Plugin = {
  name: 'stub-sdk',
  setup(build) {
    for (const [stub, imports] of Object.entries(stubs))
      for (const filter of imports) build.onResolve({ filter }, () => ({ path: pathOf(stub) }));
    build.onResolve({ filter: withoutEffects }, async ({ path, pluginData, ...from }) => {
      if (pluginData === withoutEffects) return undefined;
      const found = await build.resolve(path, { ...from, pluginData: withoutEffects });
      return { ...found, sideEffects: false };
    });
    build.onLoad(
      { filter: /\/@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_0\.js$/ },
      async ({ path }) => {
        const schemas = withPlainKeys(await readFile(path, 'utf8'));
        return { contents: withFewErrors.test(path) ? withoutOtherErrors(schemas) : schemas };
      },
    );
    // Each client imports its whole package.json (2.4 KB) for the version in its user agent.
    build.onLoad({ filter: /\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
