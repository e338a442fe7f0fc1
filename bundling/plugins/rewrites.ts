import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { shortExceptions } from '../rewrites/exceptions.ts';
import { shortPartitions } from '../rewrites/partitions.ts';
import { shortSchemas } from '../rewrites/schemas.ts';
import { createTargets } from './targets.ts';

/** The same program in fewer bytes. Throws where the text is not what it knows. */
export type Rewrite = (text: string, path: string) => string;

/** Each client imports its whole package.json for the version that its user agent names. */
const versionOnly: Rewrite = (text) =>
  `export const version = ${JSON.stringify((JSON.parse(text) as { version: string }).version)};
export default { version };`;

/** Nobody says of these calls that they do nothing but make a function, so an unused one would stay. */
const unusedPaginators: Rewrite = (text) => {
  const marked = text.replace(' = createPaginator(', ' = /* @__PURE__ */ createPaginator(');
  if (marked === text) throw new Error('it has no createPaginator');
  return marked;
};

/** Files of the AWS SDK, by their paths, and what brings each into a bundle. */
const rewrites: { path: RegExp; with: string; rewrite: Rewrite }[] = [
  { path: /\/@aws-sdk\/[^/]+\/package\.json$/, with: '/@aws-sdk/client-', rewrite: versionOnly },
  {
    path: /\/@aws-sdk\/client-[^/]+\/dist-es\/models\/errors\.js$/,
    with: '/@aws-sdk/client-',
    rewrite: shortExceptions,
  },
  {
    path: /\/@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_0\.js$/,
    with: '/@aws-sdk/client-',
    rewrite: shortSchemas,
  },
  {
    path: /\/util-endpoints\/lib\/aws\/partitions\.js$/,
    with: '/@aws-sdk/client-',
    rewrite: shortPartitions,
  },
  {
    path: /\/@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/\w+Paginator\.js$/,
    with: '/@aws-sdk/lib-dynamodb/',
    rewrite: unusedPaginators,
  },
];

/** Rewrites what the SDK says at length; a file that is not where it was, or is another one, ends the build. */
export const terseSdk: Plugin = {
  name: 'terse-sdk',
  setup(build) {
    const targets = createTargets(build);
    for (const { path: filter, with: reason, rewrite } of rewrites) {
      const target = targets.expect(`the file ${String(filter)}`, reason);
      build.onLoad({ filter }, async ({ path }) => {
        target.found();
        return { contents: rewrite(await readFile(path, 'utf8'), path), loader: 'js' };
      });
    }
  },
};
