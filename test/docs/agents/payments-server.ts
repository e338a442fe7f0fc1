import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { eventually } from '../../support/waiting.ts';
import { fixedPort } from '../../support/fixed-port.ts';
import type { Payment } from '../../../docs/examples/approved-payments/payment.ts';

/** As in a project where `@omi/website` is installed. */
async function bundled(): Promise<string> {
  const outfile = join(await mkdtemp(join(tmpdir(), 'omi-payments-')), 'server.mjs');
  await build({
    entryPoints: ['docs/examples/approved-payments/server.ts'],
    alias: { '@omi/website': resolve('packages/website/src/index.ts') },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
  });
  return outfile;
}

/** The example of a resource server, as a program of its own. */
export class PaymentsServer {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(env: Record<string, string | undefined>): Promise<PaymentsServer> {
    const port = await fixedPort();
    const child = spawn(process.execPath, [await bundled()], {
      env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    const listens = async (): Promise<true | undefined> => {
      if (child.exitCode !== null) throw new Error(`The payments server ended: ${output}`);
      return await Promise.resolve(output.includes('Listening') ? true : undefined);
    };
    await eventually('the payments server listens', listens);
    return new PaymentsServer(`http://127.0.0.1:${port}`, child);
  }

  async pay(payment: Payment, token: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(payment),
    });
    return { status: response.status, body: await response.json() };
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}
