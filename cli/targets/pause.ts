import { isDrained, type Target, type Transition, transitions } from '../../core/export/targets/target.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { describeTarget, targetView } from './describe-target.ts';
import { refOf, requireTarget, type TargetOptions, targetStore } from './targets-store.ts';

/** Events wait from now on. */
export const pauseTarget = async (session: Session, options: TargetOptions): Promise<void> =>
  await moveTarget(session, options, 'pause', ({ state }) => state === 'paused');

/** Events flow again, beginning with those that waited. */
export const resumeTarget = async (session: Session, options: TargetOptions): Promise<void> =>
  await moveTarget(session, options, 'resume', ({ state }) => state === 'degraded' || state === 'active');

async function moveTarget(
  session: Session,
  options: TargetOptions,
  transition: Transition,
  isDone: (target: Target) => boolean,
): Promise<void> {
  const deployment = await session.deployment();
  const target = await requireTarget(deployment, refOf(options));
  if (isDone(target)) session.note('It is so already.');
  else await move(deployment, target, transition);
  const moved = await settled(deployment, await requireTarget(deployment, target));
  session.print(targetView(moved, Date.now()), describeTarget(moved, Date.now()));
}

/** Where nothing waits no delivery comes to say that the target is well. */
async function settled(deployment: Deployment, target: Target): Promise<Target> {
  if (target.state !== 'degraded' || target.fault || !isDrained(target)) return target;
  await targetStore(deployment).drained(target, Date.now());
  return await requireTarget(deployment, target);
}

async function move(deployment: Deployment, target: Target, transition: Transition): Promise<void> {
  if (target.destination.kind === 'none')
    throw new CommandError('This target is none: there is nothing to pause or resume.');
  if (await targetStore(deployment).move(target, transition, Date.now())) return;
  const { from } = transitions[transition];
  if (transition === 'resume' && target.state === 'paused')
    throw new CommandError(
      'This target failed a test while it was paused: no events go where nobody is trusted.',
      '"omi target test" says what is missing.',
    );
  throw new CommandError(
    `A target that is ${target.state} cannot ${transition}: only one that is ${from.join(', ')}.`,
    target.state === 'validating' ? '"omi target test" says what is missing.' : undefined,
  );
}
