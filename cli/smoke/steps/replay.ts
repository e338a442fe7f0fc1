import { setTimeout as wait } from 'node:timers/promises';
import type { ReplayProgress } from '../../../core/export/replays/replay-store.ts';
import { seconds } from '../../../core/kernel/time.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError } from '../../command-error.ts';
import { progressOf, requestReplay } from '../../replays/replay-run.ts';
import { hasId } from '../arrivals.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import type { Export } from './destination.ts';
import { eventType, replayedSteps, type Recorded } from './events.ts';

export const eventsAreReplayed: StepDefinition = {
  name: 'replay',
  title: `A replay of more than ${replayedSteps} steps sends all of them again`,
  limitSeconds: 400,
  hint: 'If the replay stops after about 16 steps, Lambda took it for a recursive loop. See the metric RecursiveInvocationsDropped of the Lambda replay-events, and its log.',
};

export async function replayEvents(
  { deployment, tenantId }: Scene,
  { eventIds, from, to }: Recorded,
  { arrivals }: Export,
  run: StepRun,
): Promise<void> {
  await arrivals.read();
  const before = arrivals.count;
  const replayId = await requestReplay(deployment, {
    tenantId,
    category: 'public',
    from,
    to: Math.min(to, Date.now()),
    types: [eventType],
    portion: 1,
  });
  const { state, steps, reason } = await followed(deployment, { tenantId, replayId }, run);
  if (state === 'failed') throw new CommandError(`The replay failed: ${reason ?? ''}`);
  if (steps < replayedSteps)
    throw new CommandError(`The replay made ${steps} steps, fewer than ${replayedSteps}`);
  await arrivals.all('All events of the replay', eventIds.map(hasId), { signal: run.signal, from: before });
}

/** Waits for the end of the replay. Reports the progress also if it stops. */
async function followed(
  deployment: Deployment,
  ref: { tenantId: string; replayId: string },
  { signal, say }: StepRun,
): Promise<ReplayProgress> {
  let progress = await progressOf(deployment, ref);
  try {
    while (progress.state === 'running') {
      await wait(seconds, undefined, { signal });
      progress = await progressOf(deployment, ref);
    }
    return progress;
  } finally {
    say(`${progress.steps} steps, ${progress.eventsSent} events`);
  }
}
