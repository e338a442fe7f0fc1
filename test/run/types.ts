/** `npm run types`: checks every program of the repository, one after the other, and says what each does wrong. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Folders with a `tsconfig.json`. Browsers, workers and tests of pages have other globals than the rest. */
export const typedPrograms = [
  '.',
  'packages/device',
  'packages/evidence',
  'packages/http',
  'packages/website',
  'packages/consumer',
  'packages/elements',
  'packages/ui',
  'pages/app',
  'pages/app/src/platform/service-worker',
  'test/pages/app',
  'pages/exports',
  'test/pages/exports',
  'pages/bank/page',
  'test/pages/bank/page',
  'test/packages/elements',
];

const compiler = 'node_modules/@typescript/native/bin/tsc';

/** What a check finds out is kept for the next one, which then looks at what changed. */
const factsOf = (program: string): string =>
  join('node_modules/.cache/types', `${program.replaceAll(/\W/g, '-')}.tsbuildinfo`);

/** More checkers end sooner on an idle machine, and find out the same types several times. */
const check = (program: string): boolean =>
  spawnSync(
    process.execPath,
    [
      compiler,
      ...['-p', program, '--checkers', '1'],
      ...['--incremental', '--tsBuildInfoFile', factsOf(program)],
    ],
    { stdio: 'inherit' },
  ).status === 0;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = typedPrograms.map(check).includes(false) ? 1 : 0;
