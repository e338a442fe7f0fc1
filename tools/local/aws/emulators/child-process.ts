import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

/** An emulator in its own process, which exits when its standard input ends. */
export type ChildProcess = {
  /** The exit code; null if a signal ended the program, or if it could not be started. */
  readonly exited: Promise<number | null>;
  /** Resolves with the first matching line of standard output; rejects with `ChildProcessError` if the program exits before. */
  firstLine(pattern: RegExp): Promise<RegExpExecArray>;
  close: () => Promise<void>;
};

/** Where an emulator listens: at a port, or at a Unix socket. */
export type Address = { endpoint: string; socketPath?: string };

/** An emulator that is ready. */
export type Emulator = Address & { exited: ChildProcess['exited']; close: () => Promise<void> };

/** The emulator exited before it was ready. */
export class ChildProcessError extends Error {
  override readonly name = 'ChildProcessError';
}

const usualShutdownMs = 5_000;
const keptCharacters = 4_000;

export type ChildProcessOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** How long it may take to exit before it is killed. */
  longestShutdownMs?: number;
};

export function startChildProcess(
  command: string,
  args: readonly string[],
  { longestShutdownMs = usualShutdownMs, ...options }: ChildProcessOptions = {},
): ChildProcess {
  // In its own process group: Ctrl-C at a terminal is for the stack, which then closes its parts in order.
  const child = spawn(command, args, { ...options, stdio: 'pipe', detached: true });
  const exited = exitOf(child);
  const output = tail(child);
  // `exited` reports a process that is gone.
  child.stdin.on('error', () => undefined);
  return {
    exited,
    firstLine: (pattern) => Promise.race([lineOf(child, pattern), exitBeforeReady(command, exited, output)]),
    close: async () => {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), longestShutdownMs);
      await exited;
      clearTimeout(late);
    },
  };
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
}

function tail(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  const keep = (chunk: Buffer): void => void (text = (text + chunk.toString()).slice(-keptCharacters));
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

async function exitBeforeReady(
  command: string,
  exited: ChildProcess['exited'],
  output: () => string,
): Promise<never> {
  const code = await exited;
  throw new ChildProcessError(`${command} exited with code ${String(code)} before it was ready: ${output()}`);
}
