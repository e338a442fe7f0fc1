/** Builds all bundles of the service into a folder: `node test/tools/release/build-all.ts <folder>`. Prints the npm packages in them. */
import { join } from 'node:path';
import { buildApp } from '../../../pages/app/build.ts';
import { buildSite } from '../../../pages/bank/build.ts';
import { buildConsole } from '../../../pages/console/build.ts';
import { buildExportsPage } from '../../../pages/exports/build.ts';
import { bundleLambdas } from '../../../bundling/bundle.ts';

const folder = process.argv[2] ?? '';
const { inputs } = await bundleLambdas(join(folder, 'lambdas'));
await buildApp(join(folder, 'app'));
await buildConsole(join(folder, 'console'));
await buildExportsPage(join(folder, 'exports'));
await buildSite(join(folder, 'bank'));
const names = Object.keys(inputs).map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '');
process.stdout.write(JSON.stringify([...new Set(names)].filter((name) => name !== '').toSorted()));
