import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorityFile } from './certificates.ts';
import { emulatorSettings, sharedOfRun } from './run-services.ts';
import { FORMER_BASE_URL, TestStack } from './stack.ts';
import { eventually, longestWaitMs } from './waiting.ts';

export type OwnStackOptions = {
  /** Keeps the data, with emulators of its own, for the next stack; without it they are gone at the end. */
  dataDirectory?: string;
};

type Running = { child: ChildProcess; directory: string };

/** A local stack in a process of its own, with its state in a folder of its own. */
export class OwnStack extends TestStack {
  #running: Running | undefined;
  #output = '';
  readonly #options: OwnStackOptions;

  constructor(options: OwnStackOptions = {}) {
    super();
    this.#options = options;
  }

  get isRunning(): boolean {
    const { child } = this.#running ?? {};
    return child?.exitCode === null && child.signalCode === null;
  }

  async start(): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), 'omi-stack-'));
    const child = spawn(process.execPath, ['tools/local/start.ts'], {
      env: {
        ...process.env,
        NODE_ENV: undefined,
        OMI_PORT: '0',
        OMI_APP_PORT: undefined,
        OMI_SITE_PORT: undefined,
        OMI_TOKEN_PORT: undefined,
        OMI_CLIENT_SECRET: undefined,
        OMI_BASE_URL: undefined,
        OMI_FORMER_BASE_URLS: FORMER_BASE_URL,
        OMI_APP_URL: undefined,
        OMI_STATE: directory,
        NODE_EXTRA_CA_CERTS: authorityFile,
        OMI_BUNDLES: await sharedOfRun('bundles'),
        ...(await this.#emulators()),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running = { child, directory };
    for (const stream of [child.stdout, child.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => (this.#output = `${this.#output}${chunk.toString()}`.slice(-8_000)),
      );
    await this.#ready(this.#running);
    await this.attach(directory);
  }

  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    const { child, directory } = this.#running;
    const crashed = child.exitCode ?? child.signalCode;
    if (crashed === null) await end(child);
    const left = existsSync(join(directory, 'stack.json'));
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    if (crashed !== null) throw new Error(`The stack ended by itself (${crashed}):\n${this.#output}`);
    if (left) throw new Error(`The stack ended without removing stack.json:\n${this.#output}`);
  }

  /** As a machine that fails would end it: nothing is written down, nobody is told. */
  async kill(): Promise<void> {
    if (this.#running === undefined) return;
    const { child, directory } = this.#running;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    this.#running = undefined;
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }

  async #emulators(): Promise<Record<string, string>> {
    const { dataDirectory } = this.#options;
    return dataDirectory === undefined ? await emulatorSettings() : { OMI_DATA: dataDirectory };
  }

  async #ready({ child, directory }: Running): Promise<void> {
    const isReady = (): true | undefined => existsSync(join(directory, 'stack.json')) || undefined;
    await eventually(
      () => `the stack is ready:\n${this.#output}`,
      () => {
        if (child.exitCode !== null) throw new Error(`The stack ended at its start:\n${this.#output}`);
        return isReady();
      },
    );
  }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const last = setTimeout(() => child.kill('SIGKILL'), longestWaitMs);
  await exited;
  clearTimeout(last);
}
