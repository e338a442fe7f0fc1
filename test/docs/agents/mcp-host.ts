import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Approval } from '../../../docs/examples/mcp-approval/approval.ts';

export type ToolResult = { isError: boolean; structured: unknown; text: string };

/** A host of MCP with the example's server, which it starts as hosts do. */
export class McpHost {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async start(env: Record<string, string>): Promise<McpHost> {
    const client = new Client({ name: 'test host', version: '1.0.0' });
    const args = ['docs/examples/mcp-approval/server.ts'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' }),
    );
    return new McpHost(client);
  }

  async call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult> {
    const { content, structuredContent, isError } = await this.client.callTool(
      { name, arguments: input },
      undefined,
      { timeout: 120_000, ...(signal && { signal }) },
    );
    const [{ text = '' } = {}] = content as { text?: string }[];
    return { isError: isError === true, structured: structuredContent, text };
  }

  async requestApproval(input: Record<string, unknown>, signal?: AbortSignal): Promise<Approval> {
    return (await this.call('request_approval', input, signal)).structured as Approval;
  }

  async stop(): Promise<void> {
    await this.client.close();
  }
}
