import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { bundle, entryOf } from '../../bundling/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A way to bundle a Lambda. */
export type Variant = {
  name: VariantName;
  /** The file that Lambda loads. */
  fileOf: (lambda: string) => string;
  bytes: ReadonlyMap<string, number>;
  /** What went into each bundle. */
  modules: ReadonlyMap<string, readonly string[]>;
};

export type VariantName = 'lean' | 'control' | 'default';

/** A Lambda that does nothing: what it takes to start is Node's own. */
export const EMPTY = 'empty';

/**
 * What the construct `NodejsFunction` of aws-cdk-lib tells esbuild where nothing is set but what makes the bundle the like
 * of ours: `minify` and `bundleAwsSDK`.
 */
const control: BuildOptions = { platform: 'node', target: 'node24', format: 'cjs', minify: true };

/** `NodejsFunction` with nothing set at all: not minified, and the runtime's own AWS SDK. */
const byDefault: BuildOptions = { ...control, minify: false, external: ['@aws-sdk/*', '@smithy/*'] };

/** Bundles all Lambdas, and the empty one, in every way. */
export async function buildVariants(lambdas: readonly string[], directory: string): Promise<Variant[]> {
  const empty = join(directory, `${EMPTY}.ts`);
  await mkdir(directory, { recursive: true });
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 204 });\n');
  // Where the default finds the SDK, as the runtime's own folder is on Lambda.
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const entries = [...lambdas.map(entryOf), { in: empty, out: `${EMPTY}/index` }];
  return [
    await lean(entries, join(directory, 'lean')),
    await usual('control', entries, join(directory, 'control'), control),
    await usual('default', entries, join(directory, 'default'), byDefault),
  ];
}

type Entries = Parameters<typeof bundle>[0];

async function lean(entries: Entries, outdir: string): Promise<Variant> {
  const { outputs } = await bundle(entries, outdir);
  return variantOf('lean', outputs, (lambda) => join(outdir, lambda, 'index.mjs'));
}

async function usual(
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
