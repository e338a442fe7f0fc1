import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export class AptError extends Error {
  override readonly name = 'AptError';
}

/** Debian's packages. Prints the slow steps, not all of apt's output. */
export type Apt = {
  update(): Promise<void>;
  /** The version that would be installed; empty for an unknown package. */
  versionOf(name: string): Promise<string>;
  install(name: string): Promise<void>;
};

const longestWaitMs = 300_000;
const retryMs = 1_000;

export function createApt(log: (line: string) => void): Apt {
  return {
    update: async () => await aptGet(log, ['update']),
    versionOf: async (name) => {
      const shown = await output('apt-cache', ['show', '--no-all-versions', name]);
      return /^Version: (.*)$/m.exec(shown)?.[1] ?? '';
    },
    install: async (name) => await aptGet(log, ['install', '--yes', '--no-install-recommends', name]),
  };
}

/** Retries while another apt, for example of a second start, locks the package lists. */
async function aptGet(log: (line: string) => void, args: string[]): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  log(`apt-get ${args.join(' ')}`);
  let errorOutput = await run(log, args);
  while (errorOutput?.includes('Could not get lock') && Date.now() < deadline) {
    await sleep(retryMs);
    errorOutput = await run(log, args);
  }
  if (errorOutput !== undefined) throw new AptError(`apt-get ${args.join(' ')} failed: ${errorOutput}`);
}

/** Resolves with the error output if apt-get fails. */
async function run(log: (line: string) => void, args: string[]): Promise<string | undefined> {
  const withTimeout = ['-o', `DPkg::Lock::Timeout=${longestWaitMs / 1_000}`, ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', withTimeout, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (/^(Get:|Unpacking|Setting up)/.test(line)) log(`  ${line}`);
  });
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => resolve(errors.push(String(error))));
  });
  return code === 0 ? undefined : errors.join(' ');
}

async function output(command: string, args: string[]): Promise<string> {
  return await new Promise((resolve) => {
    execFile(command, args, (_error, stdout) => resolve(stdout));
  });
}
