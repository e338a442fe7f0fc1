import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { leanSdk } from '../../bundling/plugins/replacements.ts';
import { terseSdk } from '../../bundling/plugins/rewrites.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Packages of the SDK as a later version might have them: nothing is where it was. */
beforeAll(() => {
  for (const name of ['@smithy/core', '@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb']) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'index.js'), 'export const anything = 1;');
  }
});

const bundleOf = async (plugin: typeof leanSdk, source: string) =>
  await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    write: false,
    logLevel: 'silent',
    plugins: [plugin],
  });

test('a part of the SDK that is to be replaced, and is not found, ends the build', async () => {
  await expect(bundleOf(leanSdk, "import { anything } from '@smithy/core'; anything;")).rejects.toThrow(
    /the import .*credential-provider-node.* was not found, though \/@smithy\/core\/ is in the bundle/,
  );
});

test('a file of the SDK that is to be rewritten, and is not found, ends the build', async () => {
  await expect(
    bundleOf(terseSdk, "import { anything } from '@aws-sdk/client-dynamodb'; anything;"),
  ).rejects.toThrow(/the file .*errors.* was not found/);
  await expect(
    bundleOf(terseSdk, "import { anything } from '@aws-sdk/lib-dynamodb'; anything;"),
  ).rejects.toThrow(/the file .*Paginator.* was not found/);
});

test('what has no part of the SDK in it may lack all of them', async () => {
  await expect(bundleOf(leanSdk, 'export {};')).resolves.toBeDefined();
  await expect(bundleOf(terseSdk, 'export {};')).resolves.toBeDefined();
});
