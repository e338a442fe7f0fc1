/** `@omi/website` as others get it: packed, installed into an empty project, run in every runtime of servers. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { eventually } from '../support/waiting.ts';
import { enrolDevice } from '../contract/scenario.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { installedTesting } from './support/installed-testing.ts';
import { findNode } from './support/node-versions.ts';
import { isSelfContained } from './support/self-contained.ts';
import { PackedProject } from './support/packed-project.ts';
import { findRuntime } from './support/runtimes.ts';
import { confirmation } from './website/support/evidence.ts';

/** Bytes of the whole package with its routes, minified and compressed. */
const largestBundleBytes = 20_750;

const run = promisify(execFile);
const stack = useSharedStack();
const versions = new Map(
  await Promise.all([20, 22, 24].map(async (major) => [major, await findNode(major)] as const)),
);
const [deno, bun, workerd] = await Promise.all(
  (['deno', 'bun', 'workerd'] as const).map(async (name) => await findRuntime(name)),
);
let project: PackedProject;

beforeAll(async () => {
  project = await PackedProject.create('@omi/website');
});
afterAll(async () => {
  await project.remove();
});

/** What a website does with the package, without anything of a runtime but web standards. */
const consumer = `
import { createRoutes, EvidenceError, memoryStore, Omi, OmiError } from '@omi/website';

export async function use({ options, userId, message, callback }) {
  const omi = new Omi(options);
  let told;
  const confirmation = await omi.confirm({ userId, message, onPending: ({ status }) => { told = status; } });
  const { nonce, status } = confirmation;
  const forged = await omi.verifyEvidence(confirmation, { userId, message: 'Pay 9000 €?', nonce }).catch((error) => error);
  const unknown = await omi.confirm({ userId: 'nobody', message }).catch((error) => error);
  const controller = new AbortController();
  const onPending = () => controller.abort(new Error('left'));
  const aborted = await omi.confirm({ userId, message, signal: controller.signal, onPending }).catch((error) => error);
  const { type } = await omi.verifyCallback(new Request('https://shop.example/callback', { method: 'POST', ...callback }));
  const session = () => ({ id: 'session-1', userId });
  const routes = createRoutes(omi, { session, message: () => message, store: memoryStore() });
  const page = await routes(new Request('https://shop.example/omi/devices', { headers: { 'omi-page': '1' } }));
  return {
    told, status, type, devices: (await page.json()).devices.length,
    forged: forged instanceof EvidenceError && forged.code,
    unknown: unknown instanceof OmiError && unknown.code,
    aborted: aborted.message,
  };
}
`;

const done = {
  told: 'pending',
  status: 'confirmed',
  type: 'confirmation.confirmed',
  devices: 1,
  forged: 'messageHash',
  unknown: 'device-not-found',
  aborted: 'left',
};

const message = 'Pay 12.50 €?';
const callbackSecret = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;

function settingsFor({ identity }: SimulatedDevice): string {
  const { baseUrl, tokenUrl, tenants } = stack.file;
  const [{ tenantId, clientId, clientSecret }] = tenants;
  const now = new Date();
  const body = JSON.stringify({
    type: 'confirmation.confirmed',
    timestamp: now,
    data: { ...confirmation(), tenantId },
  });
  const headers = {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(callbackSecret).sign('event-1', now, body),
  };
  const options = { baseUrl, tokenUrl, clientId, clientSecret, tenantId, callbackSecret };
  return JSON.stringify({ options, userId: identity.userId, message, callback: { headers, body } });
}

/** Waits until the device is asked, and confirms. */
async function confirmOn(device: SimulatedDevice): Promise<void> {
  const ask = async () => {
    const answer = await device.challenges();
    return answer.ok ? answer.body.challenges[0] : undefined;
  };
  await device.confirm(await eventually('The challenge', ask));
}

/** Uses the package in some runtime, while the user's device confirms. */
async function confirmIn(runtime: (settings: string) => Promise<string>): Promise<unknown> {
  const device = await enrolDevice(stack.website);
  const [output] = await Promise.all([runtime(settingsFor(device)), confirmOn(device)]);
  return JSON.parse(output);
}

/** A program that takes a script and an argument. */
const program =
  (command: string, options: string[], argumentsOf: string) =>
  async (settings: string): Promise<string> => {
    await project.write('consumer.js', consumer);
    const main = `import { use } from './consumer.js';\nconsole.log(JSON.stringify(await use(JSON.parse(${argumentsOf}))));`;
    await project.write('main.js', main);
    const { stdout } = await run(command, [...options, 'main.js', settings], {
      cwd: project.folder,
      env: { HOME: project.folder, PATH: process.env['PATH'], NO_COLOR: '1' },
    });
    return stdout;
  };

async function bundle(source: string): Promise<string> {
  const entry = await project.write('entry.js', source);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'neutral',
  });
  return outputFiles.map(({ text }) => text).join('');
}

describe('the package', () => {
  isSelfContained('@omi/website', () => project, [
    'dist/website/src/index.js',
    'dist/website/src/index.d.ts',
    'dist/website/src/generated/api.d.ts',
  ]);

  test('is small, and unused parts are left out', async () => {
    const whole = gzipSync(await bundle("export * from '@omi/website';")).length;
    const client = gzipSync(await bundle("export { Omi } from '@omi/website';")).length;
    const part = gzipSync(await bundle("export { verifyEvidence } from '@omi/website';")).length;
    expect(whole).toBeLessThanOrEqual(largestBundleBytes);
    expect(client).toBeLessThanOrEqual(12_000);
    expect(part).toBeLessThan(whole / 4);
  });
});

describe.each([...versions])('the package in Node.js %i', (_, node) => {
  (node === undefined ? test.skip : test)('it asks, verifies and serves the page', async () => {
    await expect(confirmIn(program(node ?? '', [], 'process.argv[2]'))).resolves.toEqual(done);
  });
});

describe.each([...versions])('CommonJS in Node.js %i', (_, node) => {
  (node === undefined ? test.skip : test)('can require the package and its stores', async () => {
    const script = await project.write(
      'required.cjs',
      `const { Omi } = require('@omi/website');
       const { redisStore } = require('@omi/website/stores');
       console.log(typeof Omi, typeof redisStore);`,
    );
    await expect(project.node(node ?? '', [script])).resolves.toBe('function function\n');
  });
});

describe('the package in Deno', () => {
  (deno === undefined ? test.skip : test)('it asks, verifies and serves the page', async () => {
    const options = ['run', '--no-remote', '--allow-net=127.0.0.1,localhost'];
    await expect(confirmIn(program(deno ?? '', options, 'Deno.args[0]'))).resolves.toEqual(done);
  });
});

describe('the package in Bun', () => {
  (bun === undefined ? test.skip : test)('it asks, verifies and serves the page', async () => {
    await expect(confirmIn(program(bun ?? '', ['run'], 'process.argv[2]'))).resolves.toEqual(done);
  });
});

const worker = `
import { use } from './consumer.js';
export default { fetch: async (request) => Response.json(await use(await request.json())) };
`;

/** Without any flag for compatibility with Node.js. */
const workerConfiguration = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2025-01-01",
);
`;

/** Runs the package in a Worker of Cloudflare, which has none of Node.js's modules. */
async function inWorkerd(settings: string): Promise<string> {
  await project.write('consumer.js', consumer);
  await project.write('worker.js', await bundle(worker));
  const configuration = await project.write('worker.capnp', workerConfiguration);
  const child = spawn(workerd ?? '', ['serve', configuration, '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const exited = once(child, 'close');
  try {
    const control = createInterface(child.stdio[3] as Readable);
    const [line] = (await once(control, 'line')) as [string];
    const { port } = JSON.parse(line) as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: settings });
    return await response.text();
  } finally {
    child.kill();
    await exited;
  }
}

describe('the package in workerd, the runtime of Cloudflare Workers', () => {
  (workerd === undefined ? test.skip : test)('it asks, verifies and serves the page', async () => {
    await expect(confirmIn(inWorkerd)).resolves.toEqual(done);
  });
});

const typed = `
import { createRoutes, type Confirmation, EvidenceError, type FinalConfirmation, memoryStore, newNonce, Omi, OmiError, verifyEvidence } from '@omi/website';

const omi = new Omi({ baseUrl: 'https://api.example', token: async () => 'token', tenantId: 'tenant' });
new Omi({ baseUrl: 'https://api.example', tokenUrl: 'https://auth.example/token', clientId: 'c', clientSecret: 's', callbackSecret: ['whsec_a', 'whsec_b'] });
const asked = { userId: 'u', message: 'Pay?', nonce: newNonce() };
const result: FinalConfirmation = await omi.confirm({ ...asked, details: [{ type: 'payment' }], expiresIn: 60, signal: AbortSignal.timeout(1000), onPending: (pending: Confirmation) => pending.matchCode });
if (result.status === 'confirmed') {
  const evidence: string = result.evidence;
  const { x }: { x: string } = result.deviceKey;
  await verifyEvidence(result, { ...asked, baseUrl: omi.baseUrl, keys: { keys: [] } });
}
// @ts-expect-error: only a confirmed one has evidence for certain
const evidence: string = result.evidence;
// @ts-expect-error: what has ended is not pending
export const isPending = result.status === 'pending';
// @ts-expect-error: the message is missing
await omi.confirm({ userId: 'u' });
// @ts-expect-error: there is no such purpose
await omi.send({ ...asked, purpose: 'pay' });
// @ts-expect-error: a client needs its secret
new Omi({ baseUrl: 'https://api.example', tokenUrl: 'https://auth.example/token', clientId: 'c' });
const callback = await omi.verifyCallback(new Request('https://shop.example'));
if (callback.type === 'confirmation.confirmed') await omi.verifyEvidence(callback.data, asked);
// @ts-expect-error: callbacks have no nonce
export const { nonce } = callback.data;
export const answer: Response = await createRoutes(omi, { session: () => undefined, message: () => 'Pay?', store: memoryStore() })(new Request('https://shop.example'));
const ofExpress = createRoutes(omi, { session: (_, native: { sessionID: string }) => ({ id: native.sessionID, userId: 'u' }), message: () => 'Pay?', store: memoryStore() });
export const served: Promise<Response> = ofExpress(new Request('https://shop.example'), { sessionID: 'x' });
// @ts-expect-error: the session is on the framework's own request
void ofExpress(new Request('https://shop.example'));
export const codes: string[] = [new OmiError('network', { detail: '' }).code, new EvidenceError('kid').code];
`;

/** What a program in CommonJS writes, without `await` at the top. */
const typedCommonJs = `
import { createRoutes, memoryStore, Omi, OmiError, type FinalConfirmation } from '@omi/website';
import { redisStore } from '@omi/website/stores';

const omi = new Omi({ baseUrl: 'https://api.example', token: async () => 'token', tenantId: 'tenant' });
export const ask = async (): Promise<FinalConfirmation> => await omi.confirm({ userId: 'u', message: 'Pay?' });
export const routes = createRoutes(omi, { session: () => undefined, message: () => 'Pay?', store: memoryStore() });
export const code: string = new OmiError('network', { detail: '' }).code;
export const stores = [redisStore];
`;

const compilers = { 'TypeScript 6': 'typescript/bin/tsc6', 'TypeScript 7': '@typescript/native/bin/tsc' };
const resolutions = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};
const surroundings = {
  web: { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] },
  node: { lib: ['ES2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
};

describe('the types of the package', () => {
  test.each(Object.values(compilers))(
    'are found by CommonJS programs, with node16 (%s)',
    async (compiler) => {
      const file = await project.write('typed.cts', typedCommonJs);
      const options = { target: 'ES2022', ...resolutions.node16, ...surroundings.web };
      await project.compile(compiler, { commonjs: options }, [file]);
    },
  );

  test.each(Object.keys(compilers))('are found and valid with %s', async (name) => {
    const file = await project.write('typed.ts', typed);
    const ways = Object.entries(resolutions).flatMap(([resolution, options]) =>
      Object.entries(surroundings).map(
        ([place, around]) => [`${resolution}-${place}`, { target: 'ES2022', ...options, ...around }] as const,
      ),
    );
    const compiler = compilers[name as keyof typeof compilers];
    await project.compile(compiler, Object.fromEntries(ways), [file]);
  });
});

describe('`@omi/testing` beside it', () => installedTesting());
