/** The package as others get it: packed, installed into an empty project, run where it says that it runs. */
import { fork } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { bodyOf } from '../../client/http.ts';
import { newNonce, newUser } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { connectToChromium } from '../support/browser/use-chromium.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { findNode } from './support/node-versions.ts';
import { isSelfContained } from './support/self-contained.ts';
import { PackedProject } from './support/packed-project.ts';

/** Bytes of the whole package in a browser bundle, minified and compressed. */
const largestBundleBytes = 6_600;

const stack = useSharedStack();
const versions = new Map(
  await Promise.all([20, 22, 24].map(async (major) => [major, await findNode(major)] as const)),
);
const inChromium = await describeIn('chromium');
let project: PackedProject;

beforeAll(async () => {
  project = await PackedProject.create('@omi/device');
});
afterAll(async () => {
  await project.remove();
});

/** Enrols, waits for the challenge, confirms it. */
const consumer = `
import { Device, DeviceError, scan, WebCryptoKey } from '@omi/device';

export async function confirm(qr, endpoint, enrolled) {
  const key = await WebCryptoKey.generate();
  const options = { key, ...(endpoint && { endpoint }) };
  const device = await Device.enrol(scan(qr), { name: 'My laptop', platform: 'fcm', pushToken: 'token-of-' + Date.now() }, options);
  await enrolled(device.identity);
  const [challenge] = await device.challenges();
  const { status } = await device.answer(challenge, { decision: 'confirm' });
  await device.unregister();
  const { code } = await device.challenges().catch((error) => error);
  return { message: challenge.message, status, code };
}

export const isTyped = (error) => error instanceof DeviceError;
`;

const inNode = `
import { once } from 'node:events';
import { confirm } from './consumer.js';

const [qr] = process.argv.slice(2);
const enrolled = async (identity) => {
  process.send(identity);
  await once(process, 'message');
  process.disconnect();
};
console.log(JSON.stringify(await confirm(qr, undefined, enrolled)));
`;

const message = 'Pay 12.50 €?';
const done = { message, status: 'confirmed', code: 'invalid-signature' };

async function startEnrolment() {
  const { qr } = bodyOf(await stack.website.startEnrolment(newUser()));
  return qr;
}

async function pushTo({ userId, deviceId }: { userId: string; deviceId: string }): Promise<void> {
  bodyOf(await stack.website.sendToDevice(userId, deviceId, { message, nonce: newNonce() }));
}

type Identity = { userId: string; deviceId: string };

/** Runs the consumer with a program of Node.js. When it has enrolled, the website asks. */
async function runIn(program: string): Promise<unknown> {
  await project.write('consumer.js', consumer);
  const script = await project.write('in-node.js', inNode);
  const child = fork(script, [await startEnrolment()], {
    cwd: project.folder,
    execPath: program,
    execArgv: [],
    silent: true,
  });
  const errors = text(child.stderr ?? Readable.from([]));
  child.once('message', (identity: Identity) => {
    void pushTo(identity).finally(() => child.send('asked'));
  });
  const output = await text(child.stdout ?? Readable.from([]));
  if (output === '') throw new Error(await errors);
  return JSON.parse(output);
}

describe('the package', () => {
  isSelfContained(
    '@omi/device',
    () => project,
    ['dist/device/src/index.js', 'dist/device/src/index.d.ts'],
    ['CONFORMANCE.md', 'vectors'],
    'device/conformance',
  );
});

describe.each([...versions])('the package in Node.js %i', (_, program) => {
  (program === undefined ? test.skip : test)('it enrols, confirms and leaves', async () => {
    await expect(runIn(program ?? '')).resolves.toEqual(done);
  });
});

const typed = `
import { Device, DeviceError, scan, settings, WebCryptoKey, type Challenge, type DeviceKey } from '@omi/device';

const key: DeviceKey = await WebCryptoKey.generate({ extractable: false });
const link = scan('https://app.example/enrol#v=1&api=https://api.example&code=x', { baseUrl: 'https://api.example' });
export const device: Device = await Device.enrol(link, { name: 'x', platform: 'web' }, { key });
export const first: Challenge | undefined = (await device.challenges())[0];
if (first) await device.answer(first, { decision: 'deny', reason: 'not_me' });
export const { rpId }: { rpId: string } = await settings(link.baseUrl);
export const code: string = new DeviceError('network').code;
// @ts-expect-error: there is no such decision
if (first) await device.answer(first, { decision: 'perhaps' });
// @ts-expect-error: a denial has no number
if (first) await device.answer(first, { decision: 'deny', number: '12' });
// @ts-expect-error: there is no such platform
await Device.enrol(link, { name: 'x', platform: 'pager' }, { key });
`;

const compilers = { 'TypeScript 6': 'typescript/bin/tsc6', 'TypeScript 7': '@typescript/native/bin/tsc' };
const resolutions = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};
const surroundings = {
  browser: { lib: ['ES2022', 'DOM'], types: [] },
  node: { lib: ['ES2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
};

describe('the types of the package', () => {
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

describe('the package in a browser', () => {
  const bundle = async (source: string): Promise<string> => {
    const entry = await project.write('entry.js', source);
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      platform: 'browser',
    });
    return outputFiles.map(({ text: code }) => code).join('');
  };

  test('is small, and unused parts are left out', async () => {
    const whole = gzipSync(await bundle("export * from '@omi/device';")).length;
    const part = gzipSync(await bundle("export { scan } from '@omi/device';")).length;
    expect(whole).toBeLessThan(largestBundleBytes);
    expect(part).toBeLessThan(whole / 2);
  });

  inChromium('that is real', () => {
    test('enrols, confirms and removes a device in Chromium', async () => {
      await project.write('consumer.js', consumer);
      const code = await bundle(
        "import { confirm } from './consumer.js'; globalThis.confirmation = confirm;",
      );
      await using page = await openPage(code);
      const enrolled = async (identity: Identity): Promise<void> => await pushTo(identity);
      await page.page.exposeFunction('enrolled', enrolled);
      const result = await page.page.evaluate(
        `confirmation(${JSON.stringify(await startEnrolment())}, location.origin, (identity) => enrolled(identity))`,
      );
      expect(result).toEqual(done);
    });
  });
});

/** A page with this code. Its origin passes calls on to the service, which has no CORS. */
async function openPage(code: string) {
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    if (isPage || request.url === '/code.js') {
      const type = isPage ? 'text/html' : 'text/javascript';
      response.writeHead(200, { 'content-type': type });
      response.end(isPage ? '<!doctype html><script type="module" src="/code.js"></script>' : code);
      return;
    }
    void forward(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running = await connectToChromium();
  const page = await running.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction('globalThis.confirmation');
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await running.close();
      server.close();
    },
  };
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const body = await text(request);
  const answer = await fetch(`${stack.file.baseUrl}${url}`, {
    method,
    headers: Object.fromEntries(
      ['authorization', 'content-type'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ),
    ...(body !== '' && { body }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(await answer.text());
}
