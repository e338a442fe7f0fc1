import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** Runs a handler as Lambda does: in a process of its own that has only this environment. */
export async function runHandler(file: string, env: NodeJS.ProcessEnv, event?: unknown): Promise<unknown> {
  const program = `const { handler } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(await handler(${JSON.stringify(event)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  });
  return JSON.parse(stdout);
}

export const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };

/** Answers in place of AWS, at `url`. */
export async function startAws(listener: RequestListener) {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
