import { fileURLToPath } from 'node:url';
import type { App } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundleLambdas } from '../bundling/bundle.ts';

/** Where the code of each Lambda comes from, by name. */
export type LambdaCode = (name: string) => Code;

/** Stands in where nobody will run the code. */
export const placeholderCode: LambdaCode = () => Code.fromInline('export const handler = () => undefined;');

/**
 * Bundles every Lambda once. The CDK CLI asks for no bundling where it only lists or destroys stacks.
 * The bundles are the same for every stage, so all of them deploy the very same assets.
 */
export async function bundledCode(app: App): Promise<LambdaCode> {
  const stacks: unknown = app.node.tryGetContext(BUNDLING_STACKS);
  if (Array.isArray(stacks) && stacks.length === 0) return placeholderCode;
  const folder = fileURLToPath(new URL('../dist/lambdas', import.meta.url));
  await bundleLambdas(folder);
  return (name) => Code.fromAsset(`${folder}/${name}`, { exclude: ['*.map'] });
}
