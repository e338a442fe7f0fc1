import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { bundle, entryOf } from '../../bundling/bundle.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The Lambdas, bundled in one way. */
export type Variant = {
  name: VariantName;
  /** The file that Lambda loads. */
  fileOf: (lambda: string) => string;
  bytes: ReadonlyMap<string, number>;
  /** Paths of the modules in each bundle. */
  modules: ReadonlyMap<string, readonly string[]>;
};

export type VariantName = 'ours' | 'control' | 'default';

/** A Lambda that does nothing. Node.js alone takes all of the time that it needs to start. */
export const EMPTY = 'empty';

/**
 * The options that the construct `NodejsFunction` of aws-cdk-lib passes to esbuild with `minify` and `bundleAwsSDK`, which
 * make its bundle comparable to ours.
 */
export const control: BuildOptions = { platform: 'node', target: 'node24', format: 'cjs', minify: true };

/** The options of `NodejsFunction` without any setting: not minified, and with the runtime's own AWS SDK. */
const byDefault: BuildOptions = { ...control, minify: false, external: ['@aws-sdk/*', '@smithy/*'] };

/** Bundles the Lambdas and the empty one in all ways. */
export async function buildVariants(lambdas: readonly string[], directory: string): Promise<Variant[]> {
  const empty = join(directory, `${EMPTY}.ts`);
  await mkdir(directory, { recursive: true });
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 204 });\n');
  // The default finds the SDK here, as it does in the runtime's own folder on Lambda.
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const entries = [...lambdas.map(entryOf), { in: empty, out: `${EMPTY}/index` }];
  return [
    await ours(entries, join(directory, 'ours')),
    await usual('control', entries, join(directory, 'control'), control),
    await usual('default', entries, join(directory, 'default'), byDefault),
  ];
}

type Entries = Parameters<typeof bundle>[0];

async function ours(entries: Entries, outdir: string): Promise<Variant> {
  const { outputs } = await bundle(entries, outdir);
  return variantOf('ours', outputs, (lambda) => join(outdir, lambda, 'index.mjs'));
}

export async function usual(
  name: VariantName,
  entryPoints: Entries,
  outdir: string,
  options: BuildOptions,
): Promise<Variant> {
  const { metafile } = await build({
    ...options,
    bundle: true,
    absWorkingDir: root,
    entryPoints,
    outdir,
    metafile: true,
    logLevel: 'error',
  });
  return variantOf(name, metafile.outputs, (lambda) => join(outdir, lambda, 'index.js'));
}

function variantOf(name: VariantName, outputs: Metafile['outputs'], fileOf: Variant['fileOf']): Variant {
  const bundles = Object.entries(outputs).flatMap(([path, output]) => {
    const lambda = /([^/]+)\/index\.m?js$/.exec(path)?.[1];
    return lambda === undefined ? [] : [{ lambda, output }];
  });
  return {
    name,
    fileOf,
    bytes: new Map(bundles.map(({ lambda, output }) => [lambda, output.bytes])),
    modules: new Map(bundles.map(({ lambda, output }) => [lambda, Object.keys(output.inputs)])),
  };
}
