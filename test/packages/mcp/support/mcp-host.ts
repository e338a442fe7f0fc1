import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { longestWaitMs } from '../../../support/waiting.ts';

export const bin = 'packages/mcp/src/bin.ts';

export type Outcome = Record<string, unknown> & { status?: string };
export type ToolResult = { isError: boolean; structured: Outcome | undefined; text: string };

type RawResult = { content?: unknown; structuredContent?: unknown; isError?: unknown };

function readResult(result: unknown): ToolResult {
  const { content, structuredContent, isError } = result as RawResult;
  const [{ text = '' } = {}] = (content ?? []) as { text?: string }[];
  return { isError: isError === true, structured: structuredContent as Outcome | undefined, text };
}

type Execution = Awaited<ReturnType<TaskEnabledSession['resumeTask']>>;

/** Waits for the end of a task. */
export async function settled(execution: Execution): Promise<ToolResult> {
  const { outcome } = await execution.settle();
  return readResult(resultFromTaskOutcome(outcome));
}

/** What identifies a server to the client's library, over restarts of both. */
const endpointId = 'omi';

/** A host of MCP with the client's library for tasks. */
export class McpHost {
  readonly client: Client;
  readonly tasks: TaskEnabledSession;

  protected constructor(client: Client) {
    this.client = client;
    this.tasks = createTaskSessionFromClient(client, { endpointId });
  }

  static async connect(transport: Transport): Promise<McpHost> {
    const client = new Client({ name: 'test host', version: '1.0.0' });
    await client.connect(transport);
    return new McpHost(client);
  }

  async call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult> {
    const options = { timeout: longestWaitMs, ...(signal && { signal }) };
    return readResult(await this.client.callTool({ name, arguments: args }, options));
  }

  /** Begins a task, as hosts do that know tasks. */
  async begin(name: string, args: Record<string, string>) {
    const execution = await this.tasks.callTool(name, args, { task: { preference: 'require' } });
    if (execution.kind !== 'task') throw new Error('The server made no task');
    return execution;
  }

  async stop(): Promise<void> {
    await this.tasks.close();
    await this.client.close();
  }
}

export type StdioOptions = { env: Record<string, string>; args?: string[]; program?: string[] };

/** A host that starts the server itself, and can lose it. */
export class StdioHost extends McpHost {
  readonly #transport: StdioClientTransport;
  #stderr = '';

  private constructor(client: Client, transport: StdioClientTransport) {
    super(client);
    this.#transport = transport;
    transport.stderr?.on('data', (data) => (this.#stderr += String(data)));
  }

  static async start({
    env,
    args = [],
    program = [process.execPath, bin],
  }: StdioOptions): Promise<StdioHost> {
    const [command = '', ...rest] = program;
    const transport = new StdioClientTransport({ command, args: [...rest, ...args], env, stderr: 'pipe' });
    const client = new Client({ name: 'test host', version: '1.0.0' });
    await client.connect(transport);
    return new StdioHost(client, transport);
  }

  /** What the server has written for the operator. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The server ends without a chance to do anything. */
  async kill(): Promise<void> {
    const { pid } = this.#transport;
    if (pid === null) throw new Error('The server has ended');
    const closed = new Promise<void>((resolve) => (this.client.onclose = resolve));
    process.kill(pid, 'SIGKILL');
    await closed;
  }
}
