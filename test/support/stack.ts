import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll } from '@jest/globals';
import { readStackFile, type StackFile } from '../../local/client/local-stack.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { documentAnswers } from './documented-answers.ts';
import { watchSecrets } from './kept-secrets.ts';

/** Seconds, on a machine that has nothing else to do. */
const LONGEST_START_MS = 120_000;
const LONGEST_END_MS = 10_000;

/** One local stack in a process of its own, with its state in a folder of its own. */
export class TestStack {
  #child: ChildProcess | undefined;
  #directory: string | undefined;
  #file: StackFile | undefined;
  #output = '';
  readonly #clients = new Map<string, WebsiteClient>();
  readonly #environment: Record<string, string>;

  /** @param environment further variables that the stack reads */
  constructor(environment: Record<string, string> = {}) {
    this.#environment = environment;
  }

  /** What the stack says about itself once it is ready. */
  get file(): StackFile {
    if (this.#file === undefined) throw new Error('The stack is not started');
    return this.#file;
  }

  get directory(): string {
    if (this.#directory === undefined) throw new Error('The stack is not started');
    return this.#directory;
  }

  /** The demo tenant's website, with every scope. */
  get website(): WebsiteClient {
    return this.#client(0);
  }

  /** The neighbour's website, with every scope. */
  get neighbour(): WebsiteClient {
    return this.#client(1);
  }

  /** The demo tenant's website with a token of these scopes alone. */
  websiteWith(scope: string): WebsiteClient {
    return new WebsiteClient({ ...this.file, ...this.file.tenants[0] }, { scope });
  }

  async start(): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), 'omi-stack-'));
    const child = spawn(process.execPath, ['local/start.ts'], {
      env: {
        ...process.env,
        NODE_ENV: undefined,
        OMI_PORT: '0',
        OMI_STATE: this.#directory,
        ...this.#environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => (this.#output = `${this.#output}${chunk.toString()}`.slice(-8_000)),
      );
    this.#file = await this.#ready(child);
  }

  /** What the Lambdas have written so far. */
  async log(): Promise<string> {
    return await readFile(join(this.directory, 'lambda.log'), 'utf8');
  }

  async stop(): Promise<void> {
    const [child, directory] = [this.#child, this.#directory];
    if (child === undefined || directory === undefined) return;
    const crashed = child.exitCode ?? child.signalCode;
    if (crashed === null) await end(child);
    const left = existsSync(join(directory, 'stack.json'));
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    if (crashed !== null) throw new Error(`The stack ended by itself (${crashed}):\n${this.#output}`);
    if (left) throw new Error(`The stack ended without removing stack.json:\n${this.#output}`);
  }

  /** As a machine that fails would end it: nothing is written down, nobody is told. */
  async kill(): Promise<void> {
    const [child, directory] = [this.#child, this.#directory];
    if (child === undefined || directory === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    this.#child = undefined;
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }

  async #ready(child: ChildProcess): Promise<StackFile> {
    const deadline = Date.now() + LONGEST_START_MS;
    while (!existsSync(join(this.directory, 'stack.json'))) {
      if (child.exitCode !== null) throw new Error(`The stack ended at its start:\n${this.#output}`);
      if (Date.now() > deadline) throw new Error(`The stack is not ready yet:\n${this.#output}`);
      await wait(50);
    }
    return await readStackFile(this.directory);
  }

  #client(index: 0 | 1): WebsiteClient {
    const tenant = this.file.tenants[index];
    const known = this.#clients.get(tenant.tenantId);
    if (known !== undefined) return known;
    const client = new WebsiteClient({ ...this.file, ...tenant });
    this.#clients.set(tenant.tenantId, client);
    return client;
  }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const last = setTimeout(() => child.kill('SIGKILL'), LONGEST_END_MS);
  await exited;
  clearTimeout(last);
}

/** Starts a stack before the tests of a file, and ends it after them; its answers must be the documented ones, and its log keep secrets. */
export function useStack(): TestStack {
  const stack = new TestStack();
  documentAnswers(() => stack.file.baseUrl);
  const secretsIn = watchSecrets();
  beforeAll(async () => await stack.start(), LONGEST_START_MS + 5_000);
  afterAll(async () => {
    const log = await stack.log();
    await stack.stop();
    const told = secretsIn(log);
    if (told.length > 0) throw new Error(`The Lambdas' log has ${told.slice(0, 5).join(', ')}`);
  }, LONGEST_END_MS + 5_000);
  return stack;
}
