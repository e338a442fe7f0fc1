import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { until } from '../../../support/waiting.ts';
import type { StackDescription } from '../../../../tools/local/stack/stack-file.ts';

/** What `npm start` runs. */
export const startScript = [process.execPath, 'tools/local/start.ts'];

/** What the shell of a developer may have. */
const unset = { OMI_TOKEN_PORT: undefined, OMI_CLIENT_SECRET: undefined };

/** A stack as a process, started in the way that a test chooses. */
export class RunningStack {
  readonly child: ChildProcess;
  /** Everything that it wrote to the terminal. */
  output = '';
  /** With its exit code and signal, when it has said its last. */
  readonly exited: Promise<unknown[]>;
  readonly #directory: string;

  constructor(command: string[], directory: string, environment: NodeJS.ProcessEnv) {
    const [file = '', ...args] = command;
    const own = {
      NODE_ENV: undefined,
      OMI_PORT: '0',
      OMI_APP_PORT: '0',
      OMI_SITE_PORT: '0',
      OMI_EXPORTS_PORT: '0',
      OMI_STATE: directory,
      ...unset,
    };
    const env = { ...process.env, ...own, ...environment };
    this.child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#directory = directory;
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = once(this.child, 'close');
  }

  /** What the stack says about itself, as soon as it is ready. */
  async ready(): Promise<StackDescription> {
    let description: StackDescription | undefined;
    const isItsOwn = (): boolean => {
      description = readDescription(this.#directory);
      if (description === undefined) return false;
      const { pid: itsPid } = description;
      return familyOf(this.child.pid ?? 0).some(({ pid }) => pid === itsPid);
    };
    await until(() => this.child.exitCode !== null || isItsOwn());
    if (description && this.child.exitCode === null) return description;
    throw new Error(`The stack ended before it was ready:\n${this.output}`);
  }
}

/** Runs a start that is expected to end by itself. */
export async function refusedStart(
  directory: string,
  environment: NodeJS.ProcessEnv = {},
  args: string[] = [],
) {
  const stack = new RunningStack([...startScript, ...args], directory, environment);
  const [code] = await stack.exited;
  return { code, output: stack.output };
}

function readDescription(directory: string): StackDescription | undefined {
  const file = join(directory, 'stack.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StackDescription) : undefined;
}

/** The variables in the file for websites. */
export const websiteVariablesIn = async (directory: string): Promise<NodeJS.Dict<string>> =>
  parseEnv(await readFile(join(directory, 'website.env'), 'utf8'));

type Process = { pid: number; parent: number; command: string };

function processes(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const [, parent] = /^\d+ \(.*\) [^Z] (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return parent === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    } catch {
      // It ended between the two looks.
      return [];
    }
  });
}

/** The process and everything below it. */
export function familyOf(pid: number): Process[] {
  const all = processes();
  const grow = (family: Process[]): Process[] => {
    const pids = new Set(family.map((one) => one.pid));
    const more = all.filter((one) => pids.has(one.parent) && !pids.has(one.pid));
    return more.length === 0 ? family : grow([...family, ...more]);
  };
  return grow(all.filter((one) => one.pid === pid));
}

export function isRunning({ pid, command }: Process): boolean {
  return processes().some((one) => one.pid === pid && one.command === command);
}
