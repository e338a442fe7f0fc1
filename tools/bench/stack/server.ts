import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server in its own process. */
export type Server = { url: string; pid: number; stop: () => Promise<void> };

const root = new URL('../../..', import.meta.url);

export const startNode = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });

/** Starts a program of a bench, which prints its address. */
export async function startServer(file: string, ...args: string[]): Promise<Server> {
  const child = startNode([file, ...args]);
  const [url, pid] = await Promise.race([announcement(child), ended(child, file)]);
  return { url, pid, stop: async () => await end(child) };
}

async function announcement(child: ChildProcess): Promise<[url: string, pid: number]> {
  return await new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString()}`.slice(0, 1_000);
      const [, url, pid] = /(http\S+) (\d+)\n/.exec(text) ?? [];
      if (url !== undefined) resolve([url, Number(pid)]);
    });
  });
}

export async function ended(child: ChildProcess, name: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`${name} ended with ${String(code)}.`);
}

/** Asks a process to end, and kills it after ten seconds. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}

/** Called by a server: prints its address for the benchmark, and exits when the benchmark does. */
export function announce(url: string): void {
  console.log(`${url} ${process.pid}`);
  process.stdin.resume().on('end', () => process.exit(0));
}
