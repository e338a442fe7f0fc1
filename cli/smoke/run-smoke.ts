import { randomBytes, randomUUID } from 'node:crypto';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import { retention } from '../../core/kernel/retention.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { runSteps } from './plan.ts';
import { findPushPlatform } from './push-platform.ts';
import { describeReport, describeStep, type Report } from './report.ts';
import type { Scene, SmokeOptions } from './scene.ts';
import { StepRunner } from './step-runner.ts';
import { UndoList } from './undo-list.ts';

/** Seconds to wait for the calls of an abandoned step. */
const abandonedCallsSeconds = 45;

/** Runs all steps against a stage. Always removes what they created. */
export async function runSmoke(session: Session, options: SmokeOptions): Promise<void> {
  refusePartialOptions(options);
  const deployment = await session.deployment();
  const runId = randomBytes(4).toString('hex');
  const undo = new UndoList();
  const tenantId = randomUUID();
  const scene: Scene = { deployment, options, undo, runId, tenantId, userId: `smoke-${runId}` };
  const report = await underLimits(session, options.timeout, async (signal) => {
    session.note(`Testing ${deployment.name}, run ${runId} …`);
    const runner = new StepRunner(signal, (result) => session.note(describeStep(result)));
    await runSteps(scene, runner, await findPushPlatform(deployment));
    await runner.untilCallsEnd(abandonedCallsSeconds);
    if (!undo.isEmpty) session.note('Removing what the run created …');
    return reportOf(runner, await undo.removeAll((line) => session.note(line)), scene);
  });
  session.print(report, describeReport(report));
  if (!report.ok) throw failureOf(report);
}

/** An incomplete group of options would be ignored, and the run would test something else. */
function refusePartialOptions(options: SmokeOptions): void {
  const isPartial = (values: unknown[]): boolean =>
    values.includes(undefined) && values.some((value) => value !== undefined);
  if (isPartial([options.streamArn, options.roleArn, options.externalId]))
    throw new UsageError('--stream-arn, --role-arn and --external-id must be used together.');
  if (isPartial([options.tokenCommand, options.clientId]))
    throw new UsageError('--token-command and --client-id must be used together.');
}

/** Ctrl-C and the time limit end the steps, never the removal. */
async function underLimits(
  session: Session,
  timeoutSeconds: number,
  work: (signal: AbortSignal) => Promise<Report>,
): Promise<Report> {
  const ending = new AbortController();
  const limit = setTimeout(
    () => ending.abort(new CommandError(`The time limit of ${timeoutSeconds} s is over (--timeout).`)),
    timeoutSeconds * seconds,
  );
  const interrupted = (): void => {
    // The terminal and npm may both send the signal.
    if (ending.signal.aborted) return;
    session.note('Interrupted. Waiting for open calls …');
    ending.abort(new CommandError('Interrupted.'));
  };
  try {
    return await session.handlingInterrupts(interrupted, async () => await work(ending.signal));
  } finally {
    clearTimeout(limit);
  }
}

function reportOf(
  { results }: StepRunner,
  leftovers: Report['leftovers'],
  { tenantId, undo }: Scene,
): Report {
  const events = {
    what: `events of the tenant ${tenantId}, in the events table`,
    until: rfc3339(Date.now() + retention.event),
  };
  return {
    ok: leftovers.length === 0 && results.every(({ status }) => status === 'ok'),
    tenantId,
    steps: results,
    leftovers,
    kept: [
      ...(undo.isEmpty ? [] : [events]),
      { what: 'log lines and metrics', until: 'the retention of the stage' },
    ],
  };
}

function failureOf({ steps, leftovers }: Report): CommandError {
  const named = (status: string): string =>
    steps
      .filter((step) => step.status === status)
      .map(({ name }) => name)
      .join(', ');
  const parts = [
    named('failed') && `failed: ${named('failed')}`,
    named('skipped') && `skipped: ${named('skipped')}`,
    leftovers.length > 0 && `left behind: ${leftovers.map(({ what }) => what).join(', ')}`,
  ];
  return new CommandError(`The smoke test did not pass: ${parts.filter(Boolean).join('; ')}.`);
}
