import { fileURLToPath } from 'node:url';
import type { App } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundle, bundleLambdas, entryOf } from '../tools/bundling/bundle.ts';
import { buildDemoSite } from './demo-site-files.ts';
import { buildWebApp, packExportsPage } from './web-app-files.ts';

/** The code of a Lambda by its name. */
export type LambdaCode = (name: string) => Code;

/** For stacks that are never deployed. */
export const placeholderCode: LambdaCode = () => Code.fromInline('export const handler = () => undefined;');

/**
 * Bundles every Lambda once, unless the CDK CLI only lists or destroys stacks. The bundles do not depend on the stage, so all
 * stages deploy the same assets.
 */
export async function bundledCode(app: App, { demo }: { demo: boolean }): Promise<LambdaCode> {
  const stacks: unknown = app.node.tryGetContext(BUNDLING_STACKS);
  if (Array.isArray(stacks) && stacks.length === 0) return placeholderCode;
  const folder = fileURLToPath(new URL('../dist/lambdas', import.meta.url));
  await bundleLambdas(folder);
  await buildWebApp(`${folder}/deploy-web-app/app`);
  // The same program with other files.
  await bundle([{ ...entryOf('deploy-web-app'), out: 'deploy-exports-page/index' }], folder);
  await packExportsPage(`${folder}/deploy-exports-page/app`);
  if (demo) await buildDemoSite(folder);
  return (name) => Code.fromAsset(`${folder}/${name}`, { exclude: ['*.map'] });
}
