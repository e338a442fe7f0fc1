import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

/** An emulator in a process of its own, which ends by itself when its standard input does. */
export type ChildProcess = {
  /** The exit code; null when a signal ended the program, or when it could not be started at all. */
  readonly exited: Promise<number | null>;
  /** Resolves with the first line of standard output that matches; rejects with `ChildProcessError` if none comes. */
  firstLine(pattern: RegExp): Promise<RegExpExecArray>;
  close: () => Promise<void>;
};

/** Where an emulator listens: at a port of its own or, where no port is to be seen, at a socket in a folder. */
export type Address = { endpoint: string; socketPath?: string };

/** An emulator in a process of its own that is ready. */
export type Emulator = Address & { exited: ChildProcess['exited']; close: () => Promise<void> };

/** The emulator ended before it was ready. */
export class ChildProcessError extends Error {
  override readonly name = 'ChildProcessError';
}

const MILLISECONDS_TO_END = 5_000;
const KEPT_CHARACTERS = 4_000;

export type ChildProcessOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** How long it may take to end before it is killed. */
  millisecondsToEnd?: number;
};

export function startChildProcess(
  command: string,
  args: readonly string[],
  { millisecondsToEnd = MILLISECONDS_TO_END, ...options }: ChildProcessOptions = {},
): ChildProcess {
  // In a process group of its own: Ctrl+C at a terminal is meant for the stack, which then ends its parts in order.
  const child = spawn(command, args, { ...options, stdio: 'pipe', detached: true });
  const exited = exit(child);
  const said = tail(child);
  // A write to a process that is already gone is no news: `exited` tells it.
  child.stdin.on('error', () => undefined);
  return {
    exited,
    firstLine: (pattern) => Promise.race([lineOf(child, pattern), ended(command, exited, said)]),
    close: async () => {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), millisecondsToEnd);
      await exited;
      clearTimeout(late);
    },
  };
}

function exit(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
}

function tail(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  const keep = (chunk: Buffer): void => void (text = (text + chunk.toString()).slice(-KEPT_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return () => text.trim();
}

function lineOf(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let text = '';
    const look = (chunk: Buffer): void => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (!match) return;
      child.stdout.off('data', look);
      resolve(match);
    };
    child.stdout.on('data', look);
  });
}

async function ended(command: string, exited: ChildProcess['exited'], said: () => string): Promise<never> {
  const code = await exited;
  throw new ChildProcessError(`${command} ended with ${String(code)} before it was ready: ${said()}`);
}
