import type { TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js';
import { ErrorCode, McpError, type Result, type Task } from '@modelcontextprotocol/sdk/types.js';
import { resultOf, taskOf } from '../server/results.ts';
import { type Approvals, NotCancellable } from './approvals.ts';

const unknownTask = (): McpError => new McpError(ErrorCode.InvalidParams, 'There is no such task.');
const toolsAlone = (): McpError =>
  new McpError(ErrorCode.InternalError, 'Tools make their tasks themselves.');

/** What one user sees of the tasks, whichever session asks: a client that starts again has a new session. */
export class UserTaskStore implements TaskStore {
  readonly #approvals: Approvals;
  readonly #userId: string;

  constructor(approvals: Approvals, userId: string) {
    this.#approvals = approvals;
    this.#userId = userId;
  }

  async getTask(taskId: string): Promise<Task | null> {
    const record = await this.#approvals.find(this.#userId, taskId);
    return record?.kind === 'task' ? taskOf(record) : null;
  }

  async getTaskResult(taskId: string): Promise<Result> {
    const record = await this.#approvals.find(this.#userId, taskId);
    if (record?.state.phase !== 'ended') throw unknownTask();
    return resultOf(record.state.outcome);
  }

  async listTasks(): Promise<{ tasks: Task[] }> {
    return { tasks: (await this.#approvals.list(this.#userId)).map(taskOf) };
  }

  /** The protocol's cancellation arrives here. */
  async updateTaskStatus(taskId: string, status: Task['status']): Promise<void> {
    if (status !== 'cancelled') throw toolsAlone();
    try {
      await this.#approvals.cancel(this.#userId, taskId);
    } catch (error) {
      if (!(error instanceof NotCancellable)) throw error;
      throw new McpError(ErrorCode.InvalidParams, 'The task cannot be cancelled: it is approved, or over.');
    }
  }

  async createTask(): Promise<Task> {
    return await Promise.reject(toolsAlone());
  }

  async storeTaskResult(): Promise<void> {
    await Promise.reject(toolsAlone());
  }
}
