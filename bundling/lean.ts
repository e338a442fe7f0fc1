import type { BuildOptions } from 'esbuild';
import { lazyBuiltins } from './plugins/builtins.ts';
import { leanSdk } from './plugins/replacements.ts';
import { terseSdk } from './plugins/rewrites.ts';

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
  plugins: [leanSdk, terseSdk, lazyBuiltins],
} as const satisfies BuildOptions;
