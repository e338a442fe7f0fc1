import { isPlace } from '../../core/export/kinds/records.ts';
import { startsOf, type Transition } from '../../core/export/targets/state-machine.ts';
import { activateIfDrained } from '../../core/export/targets/steer-target.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { printTarget } from './describe-target.ts';
import { refOf, requireTarget, type TargetOptions, targetStoreOf } from './target-record.ts';

export const pauseTargetCommand = defineCommand<TargetOptions>({
  name: 'pause',
  description:
    'Pauses a target. Its events wait, for 14 days at most. The tenant cannot resume what the operator paused.',
  ids: [tenantId, categoryId],
  examples: [`target pause ${exampleTenant} public`],
  run: async (session, options) =>
    await moveTarget(
      session,
      options,
      'pause',
      // The operator also pauses what the tenant paused: then the tenant cannot resume it.
      ({ state, pausedBy }) => state === 'paused' && pausedBy !== 'tenant',
    ),
});

export const resumeTargetCommand = defineCommand<TargetOptions>({
  name: 'resume',
  description: 'Resumes a target, whoever paused it. The events that wait are delivered first.',
  ids: [tenantId, categoryId],
  examples: [`target resume ${exampleTenant} public`],
  run: async (session, options) =>
    await moveTarget(session, options, 'resume', ({ state }) => state === 'degraded' || state === 'active'),
});

async function moveTarget(
  session: Session,
  options: TargetOptions,
  transition: Transition,
  isDone: (target: Target) => boolean,
): Promise<void> {
  const deployment = await session.deployment();
  const target = await requireTarget(deployment, refOf(options));
  if (isDone(target)) session.note(`The target is already ${target.state}.`);
  else await move(deployment, target, transition);
  const after = await requireTarget(deployment, target);
  await printTarget(
    session,
    deployment,
    await activateIfDrained(targetStoreOf(deployment), after, Date.now()),
  );
}

async function move(deployment: Deployment, target: Target, transition: Transition): Promise<void> {
  const { state, destination } = target;
  if (!isPlace(destination))
    throw new CommandError('The destination of this target is none: there is nothing to pause or resume.');
  if (await targetStoreOf(deployment).transition(target, transition, Date.now())) return;
  if (transition === 'resume' && state === 'paused')
    throw new CommandError(
      'This target failed a test while it was paused. It cannot be resumed before a test passes.',
      '"omi target test" says what is missing.',
    );
  throw new CommandError(
    `A ${state} target cannot be ${transition}d. It must be ${startsOf(transition).join(' or ')}.`,
    state === 'validating' ? '"omi target test" says what is missing.' : undefined,
  );
}
