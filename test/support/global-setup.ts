import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleLambdas } from '../../bundling/bundle.ts';
import { startDynamoDb } from '../../tools/local/aws/emulators/dynamodb-local/start.ts';
import { startKinesis } from '../../tools/local/aws/emulators/kinesis-local/start.ts';
import type { BrowserName } from '../../tools/local/browsers/find.ts';
import { ensureBrowser } from '../../tools/local/browsers/install.ts';
import { ensureJava } from '../../tools/local/java/install.ts';
import { buildPages } from '../../tools/local/stack/bundles.ts';
import { chromiumServer } from './browser/chromium-server.ts';
import { keepForTeardown } from './global-teardown.ts';
import { OwnStack } from './own-stack.ts';
import { StackPool } from './stack-pool.ts';
import type { Untouched } from './run-services.ts';
import { metafileIn, runFolderVariable, runServicesVariable, type RunService } from './run-services.ts';

type Made = { told: string; close: () => Promise<void> };
type Makers = Record<RunService, () => Promise<Made>>;

const makersIn = (folder: string): Makers => ({
  dynamodb: async () => {
    const { endpoint: told, close } = await startDynamoDb({ sharedDb: false });
    return { told, close };
  },
  kinesis: async () => {
    const { socketPath: told = '', close } = await startKinesis();
    return { told, close };
  },
  bundles: async () => {
    const told = join(folder, 'bundles');
    await mkdir(told);
    await Promise.all([
      bundleLambdas(told).then(
        async (metafile) => await writeFile(metafileIn(told), JSON.stringify(metafile)),
      ),
      buildPages(told),
    ]);
    return { told, close: async () => await Promise.resolve() };
  },
  stack: async () => {
    const stack = new OwnStack();
    await stack.start();
    return { told: stack.directory, close: async () => await stack.stop() };
  },
  chromium: async () => await browser('chromium'),
  firefox: async () => await browser('firefox'),
  'chromium-server': async () => await chromiumServer(onTerminal),
});

const onTerminal = (line: string): void => void process.stderr.write(`${line}\n`);

const browser = async (name: BrowserName): Promise<Made> => ({
  told: await ensureBrowser(name, onTerminal),
  close: async () => await Promise.resolve(),
});

/** Hands out what the suites share, each made when it is first asked for. */
export default async function globalSetup(): Promise<void> {
  // Now, as installing one takes longer than any test waits.
  await ensureJava(onTerminal);
  const folder = await mkdtemp(join(tmpdir(), 'omi-test-run-'));
  process.env[runFolderVariable] = folder;
  // Programs that tests start, and their Lambdas, load the same modules again and again.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  // No suite needs more than a few of a stack's Lambdas, and loading one takes 50 ms of a processor.
  process.env['OMI_WARM'] = 'no';
  const made = new Map<string, Promise<Made>>();
  const pool = new StackPool();
  const share = async (service: RunService): Promise<string> => {
    const making = made.get(service) ?? makersIn(folder)[service]();
    made.set(service, making);
    return (await making).told;
  };
  const answer = async ({ pathname, searchParams }: URL): Promise<string> => {
    if (pathname === '/pool/borrow')
      return await pool.borrow((searchParams.get('untouched') ?? undefined) as Untouched | undefined);
    if (pathname === '/pool/give-back') return pool.giveBack(searchParams.get('directory') ?? '');
    return await share(pathname.slice(1) as RunService);
  };
  const server = createServer(({ url = '' }, response) => {
    // A kept connection may be closed here just as a busy worker asks for its next service on it.
    response.setHeader('connection', 'close');
    answer(new URL(url, 'http://127.0.0.1')).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[runServicesVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  keepForTeardown(async () => {
    server.closeAllConnections();
    server.close();
    await pool.close();
    await endAll(made.get('chromium-server'), made.get('stack'), made.get('dynamodb'), made.get('kinesis'));
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
}

/** One after the other: a stack ends before its emulators. */
async function endAll(...ending: (Promise<Made> | undefined)[]): Promise<void> {
  for (const making of ending) {
    const made = await making?.catch(() => undefined);
    await made?.close();
  }
}
