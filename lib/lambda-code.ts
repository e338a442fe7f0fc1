import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileSystem } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

/** The code of a Lambda by its name. */
export type LambdaCode = (name: string) => Code;

/** For stacks that are never deployed. */
export const placeholderCode: LambdaCode = () => Code.fromInline('export const handler = () => undefined;');

/** Where the bundles are, in this repository and in the package `@omi/cdk`. */
export const codeFolder = fileURLToPath(new URL(`../dist/lambdas`, import.meta.url));

/** False if the CDK CLI only lists or destroys stacks. */
export function needsCode({ node }: Construct): boolean {
  const stacks: unknown = node.tryGetContext(BUNDLING_STACKS);
  return !Array.isArray(stacks) || stacks.length > 0;
}

/** The bundles. They depend on nothing of the stage but the icons of its brand, so stages with the same icons deploy the same assets. */
export function bundledCode({ webApp }: Pick<StageConfig, 'webApp'>): LambdaCode {
  const icons = webApp.brand?.icons;
  const folderOf = (name: string): string =>
    icons !== undefined && existsSync(`${codeFolder}/${name}/${iconsFolder}`)
      ? withIcons(`${codeFolder}/${name}`, icons)
      : `${codeFolder}/${name}`;
  return (name) => Code.fromAsset(folderOf(name), { exclude: ['*.map'] });
}

/** Where the code of a Lambda has the icons of the page that it deploys. */
const iconsFolder = 'app/icons';

/** A copy of the code that deploys a page, with a stage's icons in place of those of the same names. */
export function withIcons(code: string, icons: string): string {
  const copy = FileSystem.mkdtemp('omi-page-');
  cpSync(code, copy, { recursive: true });
  for (const name of readdirSync(icons)) {
    const replaced = join(copy, iconsFolder, name);
    if (existsSync(replaced)) cpSync(join(icons, name), replaced);
  }
  return copy;
}
