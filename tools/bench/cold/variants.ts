import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { bundle, entryOf } from '../../../bundling/bundle.ts';

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

export type VariantName = 'ours' | 'control';

/** A Lambda that does nothing. Node.js alone takes all of the time that it needs to start. */
export const emptyVariant = 'empty';

/**
 * The options that the construct `NodejsFunction` of aws-cdk-lib passes to esbuild with `minify` and `bundleAwsSDK`, which
 * make its bundle comparable to ours.
 */
export const control: BuildOptions = { platform: 'node', target: 'node24', format: 'cjs', minify: true };

/** Bundles the Lambdas and the empty one in both ways. */
export async function buildVariants(lambdas: readonly string[], directory: string): Promise<Variant[]> {
  const empty = join(directory, `${emptyVariant}.ts`);
  await mkdir(directory, { recursive: true });
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 204 });\n');
  const entries = [...lambdas.map(entryOf), { in: empty, out: `${emptyVariant}/index` }];
  const outdir = join(directory, 'ours');
  const { outputs } = await bundle(entries, outdir);
  return [
    variantOf('ours', outputs, (lambda) => join(outdir, lambda, 'index.mjs')),
    await usual(entries, join(directory, 'control')),
  ];
}

export async function usual(entryPoints: Parameters<typeof bundle>[0], outdir: string): Promise<Variant> {
  const options = { bundle: true, absWorkingDir: root, metafile: true, logLevel: 'error' } as const;
  const { metafile } = await build({ ...control, ...options, entryPoints, outdir });
  return variantOf('control', metafile.outputs, (lambda) => join(outdir, lambda, 'index.js'));
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
