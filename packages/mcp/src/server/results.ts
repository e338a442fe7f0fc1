import type { CallToolResult, Task } from '@modelcontextprotocol/sdk/types.js';
import { keptMs, type Outcome, type TaskRecord } from '../tasks/task-record.ts';

const pollIntervalMs = 2_000;

const statuses: Record<Outcome['status'], Task['status']> = {
  approved: 'completed',
  done: 'completed',
  refused: 'completed',
  expired: 'completed',
  cancelled: 'cancelled',
  unavailable: 'failed',
  failed: 'failed',
  unknown: 'failed',
};

const waiting = {
  asked: 'Waiting for the user to answer on the phone.',
  running: 'Approved. It is being carried out.',
};

export function taskOf({ taskId, createdAt, lastUpdatedAt, state }: TaskRecord): Task {
  const isOver = state.phase === 'ended';
  const statusMessage = isOver ? state.outcome.explanation : waiting[state.phase];
  return {
    taskId,
    status: isOver ? statuses[state.outcome.status] : 'working',
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: keptMs,
    pollInterval: pollIntervalMs,
  };
}

/** What the model gets. An outcome has no token. */
export function resultOf({ status, decision, result, explanation }: Outcome): CallToolResult {
  const structuredContent = {
    status,
    ...decision,
    ...(result !== undefined && { result }),
    ...(explanation !== undefined && { explanation }),
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: statuses[status] === 'failed',
  };
}

export const outputSchema = {
  type: 'object' as const,
  properties: {
    status: { type: 'string', enum: Object.keys(statuses) },
    approvedBy: { type: 'string', description: 'The user who approved' },
    approvedAt: { type: 'string', description: 'When the user approved' },
    message: { type: 'string', description: 'What the user read first' },
    details: { type: 'array', items: { type: 'object' }, description: 'Every value that the user approved' },
    reference: { type: 'string', description: 'The id of the approval in the exported events' },
    result: { description: 'What carrying the action out returned' },
    explanation: { type: 'string' },
  },
  required: ['status'],
};
