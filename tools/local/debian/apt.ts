import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../command/start-error.ts';

/** What decides whether a program that is missing can be installed here. */
type System = {
  isRoot: boolean;
  /** Debian, Ubuntu, or derived from them. */
  isDebian: boolean;
};

const thisSystem = (): System => ({
  isRoot: process.getuid?.() === 0,
  isDebian: existsSync('/etc/debian_version'),
});

/** A program that is needed and missing. */
export type Missing = {
  /** In one sentence. */
  fault: string;
  /** How people get it themselves. */
  advice: string;
  /** Debian's packages that bring it, by the package lists as they are now. */
  packages: () => Promise<readonly string[]>;
};

const longestWaitMs = 300_000;
const retryMs = 1_000;

/**
 * Installs what is missing for root on Debian, as in a container; other users get advice. Prints the slow steps, not all of apt's
 * output.
 *
 * @throws {StartError}
 */
export async function installMissing(
  { fault, advice, packages }: Missing,
  log: (line: string) => void,
  { isRoot, isDebian } = thisSystem(),
): Promise<void> {
  if (!isRoot || !isDebian) throw new StartError(`${fault} ${advice}`);
  log(`${fault} Installing it; this takes a minute or two, only once.`);
  const aptGet = async (...args: string[]): Promise<void> => {
    const fails = await runUnlocked(log, args);
    if (fails !== undefined) throw new StartError(`apt-get ${args.join(' ')} failed: ${fails} ${advice}`);
  };
  await aptGet('update');
  for (const name of await packages()) await aptGet('install', '--yes', '--no-install-recommends', name);
}

/** The version that would be installed; empty for an unknown package. */
export async function versionOf(name: string): Promise<string> {
  const shown = await new Promise<string>((resolve) => {
    execFile('apt-cache', ['show', '--no-all-versions', name], (_error, stdout) => resolve(stdout));
  });
  return /^Version: (.*)$/m.exec(shown)?.[1] ?? '';
}

/** Retries while another apt, for example of a second start, locks the package lists. */
async function runUnlocked(log: (line: string) => void, args: string[]): Promise<string | undefined> {
  const deadline = Date.now() + longestWaitMs;
  log(`apt-get ${args.join(' ')}`);
  let errorOutput = await run(log, args);
  while (errorOutput?.includes('Could not get lock') && Date.now() < deadline) {
    await sleep(retryMs);
    errorOutput = await run(log, args);
  }
  return errorOutput;
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
