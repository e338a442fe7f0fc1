import { randomUUID } from 'node:crypto';
import type { Action, ApprovalRequest, Arguments } from '../actions/action.ts';
import { carryOut } from '../actions/carry-out.ts';
import { type Answer, NotAsked, type Question } from '../omi/question.ts';
import type { Service } from '../omi/service.ts';
import type { Claims } from './claims.ts';
import { approved, carriedOut, interrupted, outcomeOf, unavailable, withdrawn } from './outcomes.ts';
import type { TaskFolder } from './task-folder.ts';
import { type AskedRecord, isAsked, type Outcome, type TaskRecord, type TaskState } from './task-record.ts';

export type ApprovalsDeps = {
  service: Service;
  folder: TaskFolder;
  claims: Claims;
  actions: readonly Action[];
  /** For the operator. It is never given a secret or a value of a question. */
  log: (line: string) => void;
};

export type Request = {
  userId: string;
  action: Action;
  args: Arguments;
  asks: ApprovalRequest;
  kind: TaskRecord['kind'];
};

/** The task is not waiting for its user any more. */
export class NotCancellable extends Error {}

/** A question whose answer this process waits for. */
type Followed = {
  cancel: AbortController;
  /** Settles when no answer can come any more, and what came is in the folder. */
  answered: Promise<unknown>;
  ended: Promise<unknown>;
};

const keyOf = (userId: string, taskId: string): string => `${userId} ${taskId}`;

const questionOf = ({ userId, question }: TaskRecord): Question => ({ userId, ...question });

/** Asks users, waits for their answers, and carries out what they approve. All of it survives a restart. */
export class Approvals {
  readonly #deps: ApprovalsDeps;
  readonly #followed = new Map<string, Followed>();
  readonly #adopting = new Map<string, Promise<boolean>>();
  readonly #cancelling = new Map<string, Promise<void>>();

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  /** Goes on with the tasks of processes that ended. Their calls have nobody who waits, so they are withdrawn. */
  async resume(): Promise<void> {
    for (const record of await this.#deps.folder.list(Date.now()))
      if ((await this.#adopt(record)) && record.kind === 'call')
        await this.cancelIfOpen(record.userId, record.taskId);
  }

  /** Asks the user. A question that is not accepted is a task that has failed. */
  async start({ userId, action, args, asks, kind }: Request): Promise<TaskRecord> {
    const question = { message: asks.message, details: [...asks.details] };
    const now = new Date().toISOString();
    const base = { taskId: randomUUID(), userId, tool: action.name, args, kind, question };
    const state = await this.#ask({ userId, ...question });
    const record: TaskRecord = { ...base, createdAt: now, lastUpdatedAt: now, state };
    if (isAsked(record)) await this.#deps.claims.take(record.taskId);
    await this.#deps.folder.write(record);
    if (isAsked(record)) this.#follow(record, action);
    return record;
  }

  /** A task of another user does not exist. */
  async find(userId: string, taskId: string): Promise<TaskRecord | undefined> {
    const record = await this.#deps.folder.read(taskId);
    if (record?.userId !== userId) return undefined;
    return (await this.#adopt(record)) ? await this.#deps.folder.read(taskId) : record;
  }

  async list(userId: string): Promise<TaskRecord[]> {
    const records = await this.#deps.folder.list(Date.now());
    return records.filter((record) => record.userId === userId && record.kind === 'task');
  }

  /** @throws {NotCancellable} if it is approved or over, or another user's */
  async cancel(userId: string, taskId: string): Promise<void> {
    const key = keyOf(userId, taskId);
    const work = this.#cancelling.get(key) ?? this.#cancel(userId, taskId);
    // Before anything is awaited, so that `stop` waits for it.
    this.#cancelling.set(key, work);
    await work.finally(() => this.#cancelling.delete(key));
  }

  /** Withdraws the question of somebody who does not wait any more. */
  async cancelIfOpen(userId: string, taskId: string): Promise<void> {
    try {
      await this.cancel(userId, taskId);
    } catch (error) {
      if (!(error instanceof NotCancellable)) this.#deps.log(`The task ${taskId} could not be cancelled.`);
    }
  }

  /** Waits until a task of this process is over. */
  async ended(userId: string, taskId: string): Promise<TaskRecord | undefined> {
    await this.#followed.get(taskId)?.ended;
    const record = await this.#deps.folder.read(taskId);
    return record?.userId === userId ? record : undefined;
  }

  /** Stops to wait, but lets actions end that are being carried out. */
  async stop(): Promise<void> {
    const all = [...this.#followed.entries()];
    await Promise.allSettled(this.#cancelling.values());
    for (const [, { cancel }] of all) cancel.abort();
    await Promise.all(all.map(async ([, { ended }]) => await ended));
    for (const [taskId] of all) await this.#deps.claims.release(taskId);
  }

  async #cancel(userId: string, taskId: string): Promise<void> {
    const followed = this.#followed.get(taskId);
    const found = await this.#deps.folder.read(taskId);
    if (found?.userId !== userId) throw new NotCancellable('There is no such task.');
    followed?.cancel.abort();
    await followed?.answered;
    const record = await this.#deps.folder.read(taskId);
    if (record === undefined || !isAsked(record)) throw new NotCancellable('It is approved, or over.');
    await this.#change(record, { phase: 'ended', outcome: withdrawn(await this.#withdraw(record)) });
    if (followed) await this.#deps.claims.release(taskId);
  }

  async #ask(question: Question): Promise<TaskState> {
    try {
      return { phase: 'asked', ...(await this.#deps.service.ask(question)) };
    } catch (error) {
      if (!(error instanceof NotAsked)) this.#deps.log('A question could not be sent to the service.');
      const explanation =
        error instanceof NotAsked ? error.message : 'The service cannot be reached. Ask later.';
      return { phase: 'ended', outcome: unavailable(explanation) };
    }
  }

  /** @returns whether this process took over a task that another one had left */
  async #adopt(record: TaskRecord): Promise<boolean> {
    const { taskId } = record;
    const adopting = this.#adopting.get(taskId) ?? this.#takeOver(record);
    this.#adopting.set(taskId, adopting);
    return await adopting.finally(() => this.#adopting.delete(taskId));
  }

  async #takeOver(record: TaskRecord): Promise<boolean> {
    const { taskId, userId, state } = record;
    if (this.#cancelling.has(keyOf(userId, taskId))) return false;
    const action = this.#deps.actions.find(({ name }) => name === record.tool);
    if (state.phase === 'ended' || action === undefined || this.#followed.has(taskId)) return false;
    if (!(await this.#deps.claims.take(taskId))) return false;
    // Another process may have ended it between the read and the claim.
    const current = await this.#deps.folder.read(taskId);
    if (current !== undefined && isAsked(current)) this.#follow(current, action);
    else {
      if (current?.state.phase === 'running')
        await this.#change(current, { phase: 'ended', outcome: interrupted(current.state.decision) });
      await this.#deps.claims.release(taskId);
    }
    return true;
  }

  #follow(record: AskedRecord, action: Action): void {
    const { taskId } = record;
    if (this.#followed.has(taskId)) return;
    const cancel = new AbortController();
    const answered = this.#answer(record, action, cancel.signal);
    const ended = answered
      .then(async (work) => await work?.())
      .catch(() => this.#deps.log(`The task ${taskId} failed.`))
      .finally(() => this.#followed.delete(taskId));
    this.#followed.set(taskId, { cancel, answered: answered.catch(() => undefined), ended });
  }

  /** @returns what is left to do: to carry the action out */
  async #answer(
    record: AskedRecord,
    action: Action,
    signal: AbortSignal,
  ): Promise<(() => Promise<void>) | undefined> {
    const answer = await this.#answerUnlessAborted(record, signal);
    if (answer === undefined) return undefined;
    if (answer.status !== 'approved') await this.#end(record, outcomeOf(answer));
    else if (action.run === undefined) await this.#end(record, approved(answer.decision));
    else return await this.#begin(record, answer, action.run);
    return undefined;
  }

  async #answerUnlessAborted(record: AskedRecord, signal: AbortSignal): Promise<Answer | undefined> {
    try {
      return await this.#deps.service.answer(record.state, questionOf(record), signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** That it was approved is kept before it is carried out. So a crash never carries it out twice. */
  async #begin(
    record: TaskRecord,
    { decision, token }: Extract<Answer, { status: 'approved' }>,
    run: NonNullable<Action['run']>,
  ): Promise<(() => Promise<void>) | undefined> {
    const kept = { ...decision, details: [...decision.details] };
    if (!(await this.#change(record, { phase: 'running', decision: kept }))) return undefined;
    return async () => {
      await this.#end(record, carriedOut(decision, await carryOut(run, record.args, token)));
    };
  }

  async #end(record: TaskRecord, outcome: Outcome): Promise<void> {
    await this.#change(record, { phase: 'ended', outcome });
    await this.#deps.claims.release(record.taskId);
  }

  /** @returns false if another process has ended it */
  async #change(record: TaskRecord, state: TaskState): Promise<boolean> {
    const current = await this.#deps.folder.read(record.taskId);
    if (current?.state.phase === 'ended') return false;
    await this.#deps.folder.write({ ...record, lastUpdatedAt: new Date().toISOString(), state });
    return true;
  }

  async #withdraw({ state }: AskedRecord): Promise<boolean> {
    try {
      return await this.#deps.service.withdraw(state.authReqId);
    } catch {
      this.#deps.log('A question could not be withdrawn. It stays until it expires.');
      return false;
    }
  }
}
