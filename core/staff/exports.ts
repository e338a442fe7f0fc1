import type { TargetRef } from '../events/target-ref.ts';
import type { StaffLogType } from '../events/own-events.ts';
import { replayByTenant, type TenantReplayRequest } from '../export/replays/replay-by-tenant.ts';
import type { ReplayQueue } from '../export/replays/replay-queue.ts';
import type { ReplayProgress, ReplayStore } from '../export/replays/replay-store.ts';
import { requireDestination, requireExport, activateIfDrained } from '../export/targets/steer-target.ts';
import type { TargetStore } from '../export/targets/target-store.ts';
import type { Target, TargetState } from '../export/targets/target.ts';
import { requestTest, type TestRequestDeps } from '../export/verification/request-test.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import type { SteeringAct } from './requests.ts';
import type { Act, ActContext, StaffLog } from './staff-log.ts';

/** All exports with a destination, of all tenants or one, in all states or one. */
export async function listExports(
  targets: Pick<TargetStore, 'pages' | 'load'>,
  { state, tenantId }: { state?: TargetState | undefined; tenantId?: string | undefined },
): Promise<{ targets: Target[]; malformed: string[] }> {
  const refs: TargetRef[] = [];
  for await (const page of targets.pages())
    refs.push(...page.filter((ref) => tenantId === undefined || ref.tenantId === tenantId));
  const found = await targets.load(refs);
  return {
    targets: [...found.targets.values()].filter((target) => state === undefined || target.state === state),
    malformed: [...found.malformed],
  };
}

const words: Record<SteeringAct | 'test' | 'replay', { type: StaffLogType; description: string }> = {
  pause: { type: 'StaffExportPausedEvent', description: 'An operator paused an export' },
  resume: { type: 'StaffExportResumedEvent', description: 'An operator resumed an export' },
  test: { type: 'StaffExportTestedEvent', description: 'An operator had an export tested' },
  replay: { type: 'StaffExportReplayedEvent', description: 'An operator had events sent again' },
};

const actOf = (name: keyof typeof words, { tenantId, category }: TargetRef, more = {}): Act => ({
  tenantId,
  ...words[name],
  payload: { category, ...more },
});

const isDone = (act: SteeringAct, { state, pausedBy }: Target): boolean =>
  act === 'pause'
    ? state === 'paused' && pausedBy !== 'tenant'
    : state === 'active' || state === 'degraded' || state === 'parked';

/**
 * Pauses an export so that its tenant cannot resume it, or resumes it, whoever paused it. What is done already is not done again.
 *
 * @throws {Refusal} `export-not-found`, `no-destination`, `not-verified`
 */
export async function steerExport(
  { targets, log }: { targets: Pick<TargetStore, 'find' | 'move' | 'drain'>; log: StaffLog },
  ref: TargetRef,
  act: SteeringAct,
  context: ActContext,
): Promise<Target> {
  const after = await retryOnConflict(async () => {
    const target = await requireExport(targets, ref);
    if (isDone(act, target)) return target;
    const together = log.writes(actOf(act, ref), context);
    const { applied } = await targets.move(target, act, context.now, { together });
    const current = requireDestination(await targets.find(ref));
    if (applied || isDone(act, current)) return current;
    throw new Refusal('not-verified', `The export can be ${act}d when a test has passed.`);
  });
  return await activateIfDrained(targets, after, context.now);
}

export type StaffTestDeps = TestRequestDeps & { targets: Pick<TargetStore, 'find'>; log: StaffLog };

/**
 * The test itself is a message in a queue, which no transaction holds: its event is there first.
 *
 * @throws {Refusal} `export-not-found`, `no-destination`
 */
export async function testExport(
  { targets, log, ...deps }: StaffTestDeps,
  ref: TargetRef,
  context: ActContext,
): Promise<Target> {
  await requireExport(targets, ref);
  await retryOnConflict(async () => await log.commit([], actOf('test', ref), context));
  return requireDestination(await requestTest(deps, ref, context.now));
}

export type StaffReplayDeps = {
  targets: Pick<TargetStore, 'find'>;
  replays: Pick<ReplayStore, 'begin' | 'fail'>;
  queue: Pick<ReplayQueue, 'send'>;
  log: StaffLog;
};

/**
 * As a tenant does it, without the limit of an hour.
 *
 * @throws {Refusal} `invalid-request`, `export-not-found`, `no-destination`
 */
export async function replayExport(
  { targets, replays, queue, log }: StaffReplayDeps,
  request: TenantReplayRequest,
  context: ActContext,
): Promise<ReplayProgress> {
  const withEvent: StaffReplayDeps['replays'] = {
    begin: async (replay, now) => {
      const { replayId, from, to } = replay;
      const range = { replayId, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      return await replays.begin(replay, now, log.writes(actOf('replay', request, range), context));
    },
    fail: async (...failure) => await replays.fail(...failure),
  };
  const limits = { count: async () => await Promise.resolve() };
  return await replayByTenant({ targets, replays: withEvent, queue, limits }, request, context.now);
}
