/** The examples of websites, each as a server of its own, with a simulated phone and the local stack. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { expectProblem, succeeded } from '../../contract/expectations.ts';
import { openBank } from '../../contract/further-devices/bank.ts';
import { enrolDevice } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { callbackClient, callRecorder, payByCallback } from './callback-story.ts';
import { environmentOf, ExampleProject } from './example-project.ts';
import { fromNpm } from './from-npm.ts';
import { payByAction } from './server-action-story.ts';
import { payAt } from './story.ts';

const stack = useSharedStack();
let project: ExampleProject;

beforeAll(async () => {
  project = await ExampleProject.create(['express', 'fastify', 'hono', '@hono/node-server']);
});
afterEach(async () => await project.stop());
afterAll(async () => await project.remove());

const start = async (file: string): Promise<string> =>
  await project.start(process.execPath, [file], { env: environmentOf(stack) });

test.each([
  ['callback', 30],
  ['express', 30],
  ['fastify', 30],
  ['hono', 40],
  ['next', 30],
  ['next-session', 32],
])('the example with %s has at most %i lines, without the page that a shop has anyway', (name, most) => {
  const folder = `docs/examples/website-${name}`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !/(page|layout)\.tsx$/.test(file))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
  const lines = files.map((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(most);
});

test('the example with Express works behind body parsers', async () => {
  await payAt(await start('website-express/server.ts'), stack);
});

test('the example with Fastify works', async () => {
  await payAt(await start('website-fastify/server.ts'), stack);
});

test('the example with Hono works in Node.js', async () => {
  await payAt(await start('website-hono/node.ts'), stack);
});

test('the example with callbacks never polls', async () => {
  await project.write('record-calls.mjs', callRecorder);
  const calls = await project.write('calls.jsonl', '');
  const client = await callbackClient(stack);
  const env = {
    ...environmentOf(stack),
    OMI_CLIENT_ID: client.clientId,
    OMI_CLIENT_SECRET: client.clientSecret,
    OMI_CALLBACK_SECRET: client.callbackSecret,
    CALLS: calls,
  };
  const program = ['--import', './record-calls.mjs', 'website-callback/server.ts'];
  const url = await project.start(process.execPath, program, { env });
  const made = await payByCallback({ url, stack, client, calls });
  const toService = made.filter((call) => call.includes(' /omi/'));
  expect(toService.toSorted()).toEqual([
    expect.stringMatching(/^GET \/omi\/users\/[^/]+\/devices$/),
    expect.stringMatching(/^POST \/omi\/push\/user\/[^/]+$/),
  ]);
});

test('the example of a help desk replaces a lost phone, where a confirmation is required', async () => {
  const { tenantId, website, helpDeskCredentials } = await openBank(stack, 'confirm');
  const lost = await enrolDevice(website);
  const { userId, deviceId } = lost.identity;
  expectProblem(await website.startEnrolment(userId), 403, 'confirmation-required');
  const env = {
    ...environmentOf(stack),
    OMI_TENANT_ID: tenantId,
    OMI_CLIENT_ID: helpDeskCredentials.clientId,
    OMI_CLIENT_SECRET: helpDeskCredentials.clientSecret,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['help-desk.ts', userId, deviceId], {
    cwd: project.folder,
    env: { PATH: process.env['PATH'], ...env },
  });
  const phone = new SimulatedDevice();
  succeeded(await phone.enrol(stdout.trim().split('\n').at(-1) ?? ''), 201);
  expectProblem(await lost.challenges(), 401, 'invalid-signature');
  const { devices } = succeeded(await website.listDevices(userId), 200);
  expect(devices.map((device) => device.deviceId)).toEqual([phone.identity.deviceId]);
});

const cpu = process.arch === 'x64' ? '64' : process.arch;
const workerd = `@cloudflare/workerd-${process.platform}-${cpu}`;
const workers = await fromNpm([`${workerd}@1.20261117.1`]);

/** What runs Cloudflare Workers, with one worker and its variables. */
const workerConfiguration = (port: number, env: Record<string, string>): string => `
  using Workerd = import "/workerd/workerd.capnp";
  const config :Workerd.Config = (
    services = [
      (name = "main", worker = (
        modules = [(name = "worker.js", esModule = embed "worker.js")],
        compatibilityDate = "2026-10-01",
        bindings = [${Object.entries(env)
          .map(([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`)
          .join(', ')}]
      )),
      (name = "internet", network = (allow = ["public", "private", "local"]))
    ],
    sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
  );`;

(workers === undefined ? test.skip : test)('with Hono in Workers', async () => {
  await build({
    entryPoints: [join(project.folder, 'website-hono/worker.ts')],
    bundle: true,
    format: 'esm',
    outfile: join(project.folder, 'worker.js'),
  });
  const env = environmentOf(stack);
  const configure = async (port: number): Promise<string[]> => [
    'serve',
    await project.write('workers.capnp', workerConfiguration(port, env)),
  ];
  const program = join(workers ?? '', 'node_modules', workerd, 'bin/workerd');
  await payAt(await project.start(program, configure, { env }), stack);
});

/** Serves the exported handlers as Next does, without Next. */
const handlers = `
import { createServer } from 'node:http';
import { toNodeHandler } from '@omi/website';
import * as omi from './website-next/app/omi/[...path]/route.ts';
import * as pay from './website-next/app/pay/route.ts';
import * as signIn from './website-next/app/sign-in/route.ts';

const answer = async (request) => {
  const { pathname } = new URL(request.url);
  const route = { '/pay': pay, '/sign-in': signIn }[pathname] ?? omi;
  return await (route[request.method]?.(request) ?? new Response(null, { status: 405 }));
};
createServer(toNodeHandler(answer)).listen(Number(process.env.PORT), '127.0.0.1');
`;

test("the example with Next's route handlers works", async () => {
  await payAt(await start(await project.write('next-handlers.ts', handlers)), stack);
});

const next = await fromNpm(['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1']);

const nextProgram = join(next ?? '', 'node_modules/next/dist/bin/next');
const withoutTelemetry = { NEXT_TELEMETRY_DISABLED: '1' };

/** A project for Next itself. */
async function withNext(use: (its: ExampleProject) => Promise<void>): Promise<void> {
  const its = await ExampleProject.create(['typescript', '@types/node', '@types/react'], next);
  try {
    await use(its);
  } finally {
    await its.remove();
  }
}

/** @returns the URL of the example, once Next serves it */
async function served(its: ExampleProject, command: 'dev' | 'start', example: string): Promise<string> {
  const serve = (port: number): string[] => [
    ...[nextProgram, command, '--port', String(port), '--hostname', '127.0.0.1'],
  ];
  const env = { ...environmentOf(stack), ...withoutTelemetry };
  return await its.start(process.execPath, serve, { env, cwd: example });
}

const testWithNext = next === undefined ? test.skip : test;

testWithNext('the example with Next works with Next itself', async () => {
  await withNext(async (its) => await payAt(await served(its, 'dev', 'website-next'), stack));
});

/** The service of no stack: what is built must not have its settings inside. */
const elsewhere = {
  OMI_BASE_URL: 'https://api.example.org',
  OMI_TOKEN_URL: 'https://auth.example.org/token',
  OMI_TENANT_ID: '00000000-0000-4000-8000-000000000000',
  OMI_CLIENT_ID: 'builder',
  OMI_CLIENT_SECRET: 'builder',
};

testWithNext(
  "a shop that Next has built pays once by a server action, for the session of Next's own cookies, with the settings of its start, also after a restart",
  async () => {
    const example = 'website-next-session';
    await withNext(async (its) => {
      // The types are checked with this repository's own.
      await its.write(
        `${example}/next.config.mjs`,
        'export default { typescript: { ignoreBuildErrors: true } };',
      );
      await promisify(execFile)(process.execPath, [nextProgram, 'build'], {
        cwd: join(its.folder, example),
        env: { PATH: process.env['PATH'], ...withoutTelemetry, ...elsewhere },
      });
      await payByAction(await served(its, 'start', example), stack);
      await its.stop();
      await payByAction(await served(its, 'start', example), stack);
    });
  },
);
