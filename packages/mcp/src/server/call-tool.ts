import {
  type CallToolRequest,
  type CallToolResult,
  type CreateTaskResult,
  ErrorCode,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Action, ApprovalRequest, Arguments } from '../actions/action.ts';
import type { Approvals } from '../tasks/approvals.ts';
import type { TaskRecord } from '../tasks/task-record.ts';
import { resultOf, taskOf } from './results.ts';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const everyMs = 10_000;

/**
 * Tells a host that asked for it that the call goes on: hosts give up after a minute without such a notice.
 *
 * @returns what ends it
 */
function keepAlive({ _meta, sendNotification }: Extra): () => void {
  const { progressToken } = _meta ?? {};
  let progress = 0;
  const notify = (): void => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: ++progress, message: 'Waiting for the user' };
    // A host that is gone cancels the call: nobody needs the notice.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(notify, everyMs);
  return () => clearInterval(timer);
}

export type CallDeps = { approvals: Approvals; actions: readonly Action[]; userId: string };

const invalid = (detail: string): McpError => new McpError(ErrorCode.InvalidParams, detail);

/** The action may refuse arguments, too. */
async function requestOf(action: Action, args: Arguments): Promise<ApprovalRequest> {
  try {
    return await action.toRequest(args);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'The arguments are not valid.');
  }
}

/** Answers calls of the tools: at once with a task if the client asks for one, else when the user has answered. */
export function callsOf({ approvals, actions, userId }: CallDeps) {
  const validator = new AjvJsonSchemaValidator();
  const tools = new Map(
    actions.map((action) => [
      action.name,
      { action, validate: validator.getValidator<Arguments>(action.inputSchema) },
    ]),
  );

  async function start({ name, arguments: args = {} }: CallToolRequest['params'], kind: TaskRecord['kind']) {
    const tool = tools.get(name);
    if (tool === undefined) throw invalid(`There is no tool ${name}.`);
    const { valid, errorMessage } = tool.validate(args);
    if (!valid) throw invalid(`The arguments are not valid: ${errorMessage}`);
    const asks = await requestOf(tool.action, args);
    return await approvals.start({ userId, action: tool.action, args, asks, kind });
  }

  async function wait({ taskId, state }: TaskRecord, extra: Extra): Promise<CallToolResult> {
    if (state.phase === 'ended') return resultOf(state.outcome);
    const cancelled = new Promise<void>((resolve) => {
      // The user must not be left with a question that nobody waits for.
      const stop = (): void => void approvals.cancelIfOpen(userId, taskId).finally(resolve);
      if (extra.signal.aborted) stop();
      extra.signal.addEventListener('abort', stop, { once: true });
    });
    const ended = await Promise.race([approvals.ended(userId, taskId), cancelled]);
    if (ended?.state.phase !== 'ended') throw new McpError(ErrorCode.InternalError, 'The call ended early.');
    return resultOf(ended.state.outcome);
  }

  async function call(params: CallToolRequest['params'], extra: Extra): Promise<CallToolResult> {
    const end = keepAlive(extra);
    try {
      return await wait(await start(params, 'call'), extra);
    } finally {
      end();
    }
  }

  return async ({ params }: CallToolRequest, extra: Extra): Promise<CallToolResult | CreateTaskResult> =>
    params.task === undefined ? await call(params, extra) : { task: taskOf(await start(params, 'task')) };
}
