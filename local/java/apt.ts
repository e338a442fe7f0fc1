import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export class AptError extends Error {
  override readonly name = 'AptError';
}

/** Debian's packages. Shows what takes time, not all that apt says. */
export type Apt = {
  update(): Promise<void>;
  /** Of the package that an installation would take; empty for an unknown one. */
  versionOf(name: string): Promise<string>;
  install(name: string): Promise<void>;
};

const LONGEST_WAIT_MS = 300_000;
const BETWEEN_TRIES_MS = 1_000;

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

/** Another apt may be at work, for example of a second start: its lock on the lists makes this one fail at once. */
async function aptGet(log: (line: string) => void, args: string[]): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  log(`apt-get ${args.join(' ')}`);
  let complaint = await run(log, args);
  while (complaint?.includes('Could not get lock') && Date.now() < deadline) {
    await sleep(BETWEEN_TRIES_MS);
    complaint = await run(log, args);
  }
  if (complaint !== undefined) throw new AptError(`apt-get ${args.join(' ')} failed: ${complaint}`);
}

/** Resolves with what went wrong, if anything. */
async function run(log: (line: string) => void, args: string[]): Promise<string | undefined> {
  const patient = ['-o', `DPkg::Lock::Timeout=${LONGEST_WAIT_MS / 1_000}`, ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', patient, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (/^(Get:|Unpacking|Setting up)/.test(line)) log(`  ${line}`);
  });
  createInterface(child.stderr).on('line', (line) => complaints.push(line));
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => resolve(complaints.push(String(error))));
  });
  return code === 0 ? undefined : complaints.join(' ');
}

async function output(command: string, args: string[]): Promise<string> {
  return await new Promise((resolve) => {
    execFile(command, args, (_error, stdout) => resolve(stdout));
  });
}
