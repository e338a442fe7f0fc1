/** What generators of clients make of the OpenAPI document: it compiles, and calls the running service. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { requestToken } from '../../../client/access-token.ts';
import { bodyOf } from '../../../client/http.ts';
import { enrolDevice } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { fromNpm } from '../website-examples/from-npm.ts';
import { generators, type Generator } from './generators.ts';

const run = promisify(execFile);
const stack = useSharedStack();
const projects: string[] = [];

afterAll(async () => {
  for (const project of projects) await rm(project, { recursive: true });
});

/** A project that contains what the generator made, and the program that uses it. */
async function generate({ name, run: args, program, reads }: Generator, installed: string): Promise<string> {
  const project = await mkdtemp(join(installed, 'project-'));
  projects.push(project);
  await mkdir(join(project, 'made'));
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(project, 'program.ts'), program);
  const generator = join(installed, 'node_modules/.bin', name);
  await run(generator, args(resolve('docs/api', reads)), { cwd: project, maxBuffer: 2 ** 24 });
  return project;
}

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'esnext' },
  ...{
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
  },
  ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
};

async function compile(project: string): Promise<void> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiler = resolve('node_modules/@typescript/native/bin/tsc');
  await run(process.execPath, [compiler, '--project', project]).catch((error: unknown) => {
    throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  });
}

async function printed(project: string, env: Record<string, string>): Promise<unknown> {
  const outfile = join(project, 'program.mjs');
  await build({
    ...{ entryPoints: [join(project, 'program.ts')], outfile, logLevel: 'error' },
    ...{ bundle: true, platform: 'node', format: 'esm' },
    // Some runtimes that the clients bring along are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  });
  const { stdout } = await run(process.execPath, [outfile], { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

for (const generator of generators) {
  const installed = await fromNpm(generator.packages);
  const its = installed === undefined ? test.skip : test;

  its(`the client of ${generator.name} from ${generator.reads} compiles, and calls the service`, async () => {
    const project = await generate(generator, installed ?? '');
    await compile(project);
    const phone = await enrolDevice(stack.website);
    const { userId, deviceId } = phone.identity;
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const { access_token: token } = bodyOf(await requestToken({ tokenUrl, ...tenants[0] }));
    expect(await printed(project, { BASE_URL: baseUrl, TOKEN: token, USER_ID: userId })).toMatchObject({
      qr: expect.stringContaining('/enrol#v=1&'),
      devices: [{ deviceId, platform: phone.description.platform }],
    });
  });
}
