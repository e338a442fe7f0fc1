/** The examples with `@omi/consumer`, as programs of a project in which the package is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { build } from 'esbuild';
import { eventually } from '../../support/waiting.ts';
import type { ExportWorld } from '../../support/export-world.ts';

export type Running = {
  /** Resolves when it has printed so many lines. */
  lines: (count: number) => Promise<string>;
  stop: () => Promise<void>;
};

export class ConsumerProject {
  readonly folder: string;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<ConsumerProject> {
    const folder = await mkdtemp(join(tmpdir(), 'omi-consumer-'));
    const packages = join(folder, 'node_modules');
    await build({
      entryPoints: ['packages/consumer/src/index.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: join(packages, '@omi/consumer/index.js'),
    });
    const manifest = { name: '@omi/consumer', version: '0.0.0', type: 'module', exports: './index.js' };
    await writeFile(join(packages, '@omi/consumer/package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await symlink(resolve('node_modules/@aws-sdk'), join(packages, '@aws-sdk'));
    await mkdir(join(folder, 'examples'));
    await cp('docs/examples/consumer', join(folder, 'examples'), { recursive: true });
    await writeFile(join(folder, 'invoke.js'), invoke);
    return new ConsumerProject(folder);
  }

  /** Runs an example to its end. */
  async run(example: string, args: string[] = [], env: Record<string, string> = {}): Promise<Ended> {
    const child = this.#spawn([`examples/${example}.ts`, ...args], env);
    return await ended(child);
  }

  /** Calls the `handler` of an example with each of these events, in one process. */
  async invoke(example: string, events: unknown[], env: Record<string, string> = {}): Promise<Ended> {
    const child = this.#spawn(['invoke.js', `./examples/${example}.ts`], env);
    child.stdin?.end(JSON.stringify(events));
    return await ended(child);
  }

  /** Starts an example that runs until it is stopped. */
  start(example: string, args: string[] = [], env: Record<string, string> = {}): Running {
    const child = this.#spawn([`examples/${example}.ts`, ...args], env);
    this.#started.push(child);
    let output = '';
    let errors = '';
    child.stdout?.on('data', (data) => (output += String(data)));
    child.stderr?.on('data', (data) => (errors += String(data)));
    return {
      lines: async (count) =>
        await eventually(`${count} lines of ${example}`, async () => {
          if (child.exitCode !== null) throw new Error(`${example} ended: ${errors}`);
          return await Promise.resolve(output.split('\n').length > count ? output : undefined);
        }),
      stop: async () => {
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        await closed;
        if (child.exitCode !== 0) throw new Error(`${example} ended with ${child.exitCode}: ${errors}`);
      },
    };
  }

  #spawn(args: string[], env: Record<string, string>): ChildProcess {
    return spawn(process.execPath, args, { cwd: this.folder, env: { ...process.env, ...env } });
  }

  async remove(): Promise<void> {
    for (const child of this.#started) if (child.exitCode === null) child.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

export type Ended = { code: number | null; output: string; errors: string };

async function ended(child: ChildProcess): Promise<Ended> {
  if (!child.stdout || !child.stderr) throw new Error('The program has no output');
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}

const invoke = `
const { handler } = await import(process.argv[2]);
let input = '';
for await (const chunk of process.stdin) input += chunk;
for (const event of JSON.parse(input)) console.log(JSON.stringify({ answer: (await handler(event)) ?? null }));
`;

/** An empty table for the positions of a container. */
export async function checkpointTable({ dynamodb }: ExportWorld): Promise<string> {
  const TableName = `checkpoints-${randomUUID()}`;
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'shardId', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'shardId', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  return TableName;
}
