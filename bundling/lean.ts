import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

const replacement = (name: string) => fileURLToPath(new URL(`./replacements/${name}.ts`, import.meta.url));

/**
 * Parts of the AWS SDK that a Lambda of this service cannot use, each with what stands in for it. They make two
 * thirds of a bundle otherwise, and the time to load a bundle is most of a cold start.
 */
const replacements: { imported: RegExp; by: string }[] = [
  { imported: /^@aws-sdk\/credential-provider-node$/, by: replacement('environment-credentials') },
  { imported: /\/loadSharedConfigFiles$/, by: replacement('no-config-files') },
  { imported: /^@aws-sdk\/middleware-endpoint-discovery$/, by: replacement('no-endpoint-discovery') },
  { imported: /^@smithy\/core\/event-streams$|^\.\/HeaderFormatter$/, by: replacement('no-event-streams') },
  {
    imported: /\/(Sha256Js|util-retry\/AdaptiveRetryStrategy|getInstanceMetadataRegion)$/,
    by: replacement('unreachable'),
  },
];

const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    for (const { imported, by } of replacements) build.onResolve({ filter: imported }, () => ({ path: by }));
    // Each client imports its whole package.json for the version that its user agent names.
    build.onLoad({ filter: /\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/**
 * A static import of a built-in module makes Node read every property of it for the module's named exports; those of
 * `node:http` load the whole of undici (39 ms instead of 4). `process.getBuiltinModule` hands over the same
 * object and reads nothing.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z]/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace('node:', ''), namespace: 'builtin' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${path}`)});`,
      loader: 'js',
    }));
  },
};

/** Everything that keeps a bundle small and quick to load, in one place. */
export const leanOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  minify: true,
  treeShaking: true,
  legalComments: 'none',
  // The SDK's packages name their tree-shakeable form `module`; with the default they come whole, as CommonJS.
  mainFields: ['module', 'main'],
  plugins: [leanSdk, lazyBuiltins],
} as const satisfies BuildOptions;
