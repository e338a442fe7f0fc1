import { z } from 'zod';

const detail = z.object({ type: z.string() }).passthrough();

const decision = z.object({
  approvedBy: z.string(),
  approvedAt: z.string(),
  message: z.string(),
  details: z.array(detail),
  reference: z.string(),
});

/** What the model learns. */
const outcome = z.object({
  status: z.enum(['approved', 'done', 'refused', 'expired', 'cancelled', 'unavailable', 'failed', 'unknown']),
  explanation: z.string().optional(),
  decision: decision.optional(),
  result: z.unknown(),
});

/** `asked` waits for the user. `running` was approved, and is being carried out. The rest is over. */
const state = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('asked'), authReqId: z.string(), intervalSeconds: z.number() }),
  z.object({ phase: z.literal('running'), decision }),
  z.object({ phase: z.literal('ended'), outcome }),
]);

export const taskRecord = z.object({
  taskId: z.string().uuid(),
  userId: z.string(),
  tool: z.string(),
  args: z.record(z.unknown()),
  /** A call ends with its host. A task outlives it. */
  kind: z.enum(['call', 'task']),
  question: z.object({ message: z.string(), details: z.array(detail) }),
  createdAt: z.string().datetime(),
  lastUpdatedAt: z.string().datetime(),
  state,
});

export type Outcome = z.infer<typeof outcome>;
export type TaskState = z.infer<typeof state>;
export type TaskRecord = z.infer<typeof taskRecord>;
export type AskedRecord = TaskRecord & { state: Extract<TaskState, { phase: 'asked' }> };

export const isAsked = (record: TaskRecord): record is AskedRecord => record.state.phase === 'asked';

/** How long a task and its result are kept. */
export const keptMs = 24 * 60 * 60 * 1000;
