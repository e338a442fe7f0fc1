/** The demo bank's Lambda as it is deployed, called as API Gateway calls it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { buildDemoSite } from '../../../../lib/demo-site-files.ts';

const host = 'demo123.execute-api.eu-central-1.amazonaws.com';
export const origin = `https://${host}`;

export type Sent = { method?: string; headers?: Record<string, string>; body?: string };

type Answered = { id: number; result?: APIGatewayProxyStructuredResultV2; error?: string };

/** Builds the Lambda's code once for a file of tests. */
export async function buildDemoLambda(): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'omi-demo-'));
  await buildDemoSite(folder);
  return { folder: join(folder, 'demo-site'), remove: () => rmSync(folder, { recursive: true }) };
}

export class DemoLambda {
  readonly #process: ChildProcess;
  readonly #logged: Buffer[] = [];
  #calls = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => this.#logged.push(chunk));
  }

  static async start(folder: string, env: NodeJS.ProcessEnv): Promise<DemoLambda> {
    const program = join(import.meta.dirname, 'lambda-process.mjs');
    const child = fork(program, [join(folder, 'index.mjs')], { env, silent: true, execArgv: [] });
    const lambda = new DemoLambda(child);
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error(`The Lambda did not start: ${lambda.log}`))),
    ]);
    return lambda;
  }

  /** All that it has written. */
  get log(): string {
    return Buffer.concat(this.#logged).toString();
  }

  async fetch(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Response> {
    const [rawPath = '', rawQueryString = ''] = path.split('?');
    const { cookie, ...others } = headers;
    const event = {
      version: '2.0',
      rawPath,
      rawQueryString,
      headers: { host, ...others },
      ...(cookie !== undefined && { cookies: cookie.split('; ') }),
      ...(body !== undefined && { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }),
      requestContext: { domainName: host, http: { method } },
    };
    return responseOf(await this.#invoke(event));
  }

  async #invoke(event: object): Promise<APIGatewayProxyStructuredResultV2> {
    const id = (this.#calls += 1);
    const answered = Promise.withResolvers<Answered>();
    const listen = (message: Answered): void => {
      if (message.id === id) answered.resolve(message);
    };
    this.#process.on('message', listen);
    this.#process.send({ id, event });
    const { result, error } = await answered.promise;
    this.#process.off('message', listen);
    if (!result) throw new Error(error);
    return result;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}

function responseOf(result: APIGatewayProxyStructuredResultV2): Response {
  const { statusCode: status = 200, headers = {}, cookies = [], body = '' } = result;
  const sent = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  for (const cookie of cookies) sent.append('set-cookie', cookie);
  const raw = Buffer.from(body, 'base64');
  const bytes = sent.get('content-encoding') === 'gzip' ? gunzipSync(raw) : raw;
  return new Response([204, 304].includes(status) ? null : bytes, { status, headers: sent });
}
