import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';

const program = [process.execPath, join(import.meta.dirname, 'shutdown-program.ts')];
const npmStart = { npm_lifecycle_event: 'start', npm_package_json: resolve('package.json') };

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

type Started = { child: ChildProcess; pid: number; lines: Interface };

/** Starts a command that runs the program somewhere below it, and waits until that listens. */
async function start(command: string[], environment: NodeJS.ProcessEnv = {}): Promise<Started> {
  const [file = '', ...args] = command;
  const env = { ...process.env, npm_lifecycle_event: 'jest', ...environment };
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface(child.stdout);
  const [line] = (await once(lines, 'line')) as [string];
  return { child, pid: Number(line.replace('started ', '')), lines };
}

const nextLine = async (lines: Interface) => ((await once(lines, 'line')) as [string])[0];

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s requests a shutdown', async (signal) => {
    const { child } = await start(program);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('does not count twice when npm forwards it after the terminal', async () => {
    const { child, lines } = await start(program, { HOLD_ON: 'yes' });
    const requested = nextLine(lines);
    // At once, however slow the machine is; two of a kind could come as one.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await requested).toBe('requested');
    // There is no event for something that does not happen.
    await wait(100);
    expect(child.exitCode).toBeNull();
  });

  test('forces the exit when it is repeated later', async () => {
    const { child, lines } = await start(program, { HOLD_ON: 'yes' });
    child.kill('SIGINT');
    await nextLine(lines);
    await wait(600);
    child.kill('SIGINT');
    expect(await nextLine(lines)).toBe('forced');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });
});

/** A parent that is not the program itself: it starts the command and stays. */
const parentOf = (command: string[]) => {
  const script = `require('node:child_process').spawn(${JSON.stringify(command[0])}, ${JSON.stringify(command.slice(1))}, { stdio: 'inherit' })`;
  return [process.execPath, '--eval', script];
};
/** A shell that does not replace itself by the command. */
const shellOf = (command: string[]) => ['sh', '-c', `${command.join(' ')}; true`];

describe('the end of npm', () => {
  test.each([
    ['as the parent', program],
    ['behind a shell', shellOf(program)],
  ])('%s requests a shutdown', async (_, command) => {
    const { child, pid, lines } = await start(parentOf(command), npmStart);
    expect(pid).not.toBe(child.pid);
    child.kill('SIGKILL');
    expect(await nextLine(lines)).toBe('requested');
  });
});

describe('the program', () => {
  test.each([
    ['a parent that is not npm', {}],
    ['an npm that runs another script', { ...npmStart, npm_lifecycle_event: 'jest' }],
    ['the npm of another package', { ...npmStart, npm_package_json: '/elsewhere/package.json' }],
  ])('continues without %s', async (_, environment) => {
    const { child, pid, lines } = await start(parentOf(program), environment);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await wait(500);
    process.kill(pid, 'SIGTERM');
    expect(await nextLine(lines)).toBe('requested');
  });
});
