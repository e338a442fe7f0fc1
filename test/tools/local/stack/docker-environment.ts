import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

const PATH = process.env['PATH'] ?? '';

export const hasDocker = PATH.split(delimiter).some((folder) => existsSync(join(folder, 'docker')));

/** The variables that Docker's own client reads from these options. The engine that it talks to makes no container. */
export async function environmentByDocker(options: string[]): Promise<Record<string, string>> {
  const { promise: created, resolve: create } = Promise.withResolvers<string[]>();
  const engine: RequestListener = (request, response) => {
    if (!request.url?.includes('/containers/create')) {
      response.writeHead(200, { 'api-version': '1.41' }).end('OK');
      return;
    }
    void json(request).then((body) => {
      create((body as { Env: string[] }).Env);
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"read"}');
    });
  };
  const server = createServer(engine).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { PATH, DOCKER_HOST: `tcp://127.0.0.1:${port}` };
  const running = promisify(execFile)('docker', ['run', ...options, 'any'], { env });
  const failed = running.then(async () => await Promise.reject(new Error('It ran')));
  const lines = await Promise.race([created, failed]);
  await failed.catch(() => undefined);
  server.close();
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
