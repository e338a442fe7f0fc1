import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Action } from '../actions/action.ts';
import { UserTaskStore } from '../tasks/user-task-store.ts';
import { type CallDeps, callsOf } from './call-tool.ts';
import { outputSchema } from './results.ts';
import { version } from './version.ts';

const toolOf = ({ name, title, description, inputSchema }: Action): Tool => ({
  name,
  ...(title !== undefined && { title }),
  description,
  inputSchema,
  outputSchema,
  annotations: { readOnlyHint: false, idempotentHint: false },
  execution: { taskSupport: 'optional' },
});

/** A server for one user, whom the caller has authenticated. */
export function createServer({ approvals, actions, userId }: CallDeps): McpServer {
  const mcp = new McpServer(
    { name: 'omi', version },
    {
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore: new UserTaskStore(approvals, userId),
    },
  );
  // The schemas of actions are JSON Schema already, which `registerTool` does not take.
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: actions.map(toolOf) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, callsOf({ approvals, actions, userId }));
  return mcp;
}
