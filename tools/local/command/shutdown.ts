import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packageFile = fileURLToPath(new URL('../../../package.json', import.meta.url));

/**
 * The parents whose end also ends this process: npm, and a shell between the two, if `npm start` started it. In all other
 * cases the stack outlives its parent, like any background program.
 */
function npmParents(environment: NodeJS.ProcessEnv = process.env): number[] {
  const isNpmStart =
    environment['npm_lifecycle_event'] === 'start' && environment['npm_package_json'] === packageFile;
  if (!isNpmStart) return [];
  const parent = describe(process.ppid);
  // Most shells replace themselves with the script's only command; the others stay as the parent.
  return parent && shell.test(parent.command) ? [process.ppid, parent.ppid] : [process.ppid];
}

const shell = /(^|\/)-?(ba|da|z|a|k)?sh$/;

type Process = { ppid: number; command: string };

function describe(pid: number): Process | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

/** The format is `pid (command) state ppid …`; a command may have spaces and parentheses. */
function fromProc(pid: number): Process | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, command = '', ppid] = /^\d+ \((.*)\) \S+ (\d+) /s.exec(stat) ?? [];
  return { command, ppid: Number(ppid) };
}

function fromPs(pid: number): Process | undefined {
  const line = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' });
  const [, ppid, command = ''] = /^\s*(\d+)\s+(.*\S)\s*$/.exec(line) ?? [];
  return { command, ppid: Number(ppid) };
}

const checkIntervalMs = 200;

/** Calls back once when one of the processes has ended. The first of them is this process's parent. */
function watchParents(parents: readonly number[], onGone: () => void): void {
  if (parents.length === 0) return;
  const timer = setInterval(() => {
    if (process.ppid === parents[0] && parents.every(isRunning)) return;
    clearInterval(timer);
    onGone();
  }, checkIntervalMs).unref();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Under npm, Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const sameSignalMs = 500;

export type ShutdownRequest = {
  /** Resolves at a signal, or when the npm that started this program ends. */
  readonly requested: Promise<undefined>;
};

/**
 * Listens for signals, and for the end of the npm that started this program.
 *
 * @param force is called at a second signal, to exit at once
 */
export function listenForShutdown(force: () => void): ShutdownRequest {
  const { promise: requested, resolve: request } = Promise.withResolvers<undefined>();
  let askedAt: number | undefined;
  const onSignal = (): void => {
    askedAt ??= Date.now();
    if (Date.now() - askedAt > sameSignalMs) force();
    else request(undefined);
  };
  for (const signal of signals) process.on(signal, onSignal);
  watchParents(npmParents(), () => request(undefined));
  // A closed terminal or pipe is no error; a signal follows if the program must exit.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  return { requested };
}
