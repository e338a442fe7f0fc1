import { requestApproval } from './actions/request-approval.ts';
import { loadActions } from './actions/load-actions.ts';
import { serveHttp } from './http/serve-http.ts';
import { createService } from './omi/service.ts';
import { createServer } from './server/create-server.ts';
import { clientIn, resourceServerIn, stateFolder, userIn } from './settings.ts';
import { Approvals } from './tasks/approvals.ts';
import { Claims } from './tasks/claims.ts';
import { TaskFolder } from './tasks/task-folder.ts';
import { once } from 'node:events';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** Serves the host that started this process, until it closes the input. */
async function serveStdio(server: McpServer): Promise<void> {
  await server.connect(new StdioServerTransport());
  await once(process.stdin, 'end');
  await server.close();
}

export type Options = {
  http?: true;
  host: string;
  port: number;
  actions?: string;
  state?: string;
  lifetime: number;
};

type Env = Readonly<Record<string, string | undefined>>;

/** Standard output belongs to the protocol. */
const log = (line: string): void => void process.stderr.write(`${line}\n`);

/** Other processes with the same folder may end, and old tasks are removed. */
const resumeMs = 60 * 60 * 1000;

const signals = ['SIGINT', 'SIGTERM'] as const;

const signalled = async (): Promise<void> =>
  await new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });

/** Serves until the host closes the input, or a signal ends the process. */
export async function main(options: Options, env: Env): Promise<void> {
  const client = clientIn(env);
  const actions = options.actions === undefined ? [requestApproval] : await loadActions(options.actions);
  const folder = await TaskFolder.open(stateFolder(client, options.state));
  const service = createService({ client, lifetimeSeconds: options.lifetime });
  const approvals = new Approvals({ service, folder, claims: new Claims(folder.path), actions, log });
  const serverFor = (userId: string) => createServer({ approvals, actions, userId });
  // A service that cannot be reached now must not keep the host waiting.
  const resume = (): void =>
    void approvals.resume().catch(() => log('The tasks of earlier processes cannot be read.'));
  resume();
  setInterval(resume, resumeMs).unref();
  await (options.http ? overHttp() : overStdio());
  await approvals.stop();

  async function overHttp(): Promise<void> {
    const server = resourceServerIn(env);
    const { host, port } = options;
    const close = await serveHttp({ ...server, host, port, serverFor, log });
    await signalled();
    await close();
  }

  async function overStdio(): Promise<void> {
    const server = serverFor(userIn(env));
    await Promise.race([serveStdio(server), signalled()]);
    await server.close();
  }
}
