import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { ReplayQueue } from './replay-queue.ts';
import type { ReplayProgress, ReplayStore } from './replay-store.ts';
import type { Target } from '../targets/target.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { refusalOf, replay as schema, type Replay } from './replay.ts';
import { retention } from '../../kernel/retention.ts';

export type ReplayStartDeps = {
  targets: Pick<TargetStore, 'find'>;
  replays: Pick<ReplayStore, 'begin' | 'fail'>;
  queue: Pick<ReplayQueue, 'send'>;
};

export type ReplayRequest = Omit<Replay, 'replayId' | 'cursor'>;

/** The replay cannot start. The message is for people. */
export class ReplayRefused extends Error {
  override readonly name = 'ReplayRefused';
}

const wordsOf = (issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string =>
  issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ');

/**
 * Starts to send events once more, beside new ones. The time range is that of acceptance, see {@link Replay}.
 *
 * @returns the replay's id, by which the tenants table has its progress
 * @throws {ReplayRefused}
 */
export async function startReplay(
  { targets, ...deps }: ReplayStartDeps,
  request: ReplayRequest,
  now = Date.now(),
): Promise<string> {
  return (await beginReplay(deps, request, await targets.find(request), now)).replayId;
}

/**
 * The same, if the caller has read the target.
 *
 * @throws {ReplayRefused}
 */
export async function beginReplay(
  { replays, queue }: Pick<ReplayStartDeps, 'replays' | 'queue'>,
  request: ReplayRequest,
  target: Target | undefined,
  now: number,
): Promise<ReplayProgress> {
  const read = v.safeParse(schema, { ...request, replayId: randomUUID() });
  if (!read.success) throw new ReplayRefused(wordsOf(read.issues));
  // S3 tells whole seconds: what was just given up may end within the next one, for which the replay waits.
  if (read.output.to > now && !read.output.givenUp)
    throw new ReplayRefused('The time range ends in the future. Future events are exported anyway.');
  const reason = refusalOf(read.output, target, now);
  if (reason !== undefined) throw new ReplayRefused(reason);
  // Older events are not stored any more. Their hours need not be read.
  const replay = { ...read.output, from: Math.max(read.output.from, now - retention.event) };
  const progress = await replays.begin(replay, now);
  try {
    await queue.send(replay, 0);
  } catch (error) {
    await replays.fail(
      replay,
      'The replay could not be started: the queue did not accept it. Try again.',
      now,
    );
    throw error;
  }
  return progress;
}
