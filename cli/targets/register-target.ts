import { isDeepStrictEqual } from 'node:util';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { isPlace, type Destination } from '../../core/export/kinds/records.ts';
import type { Target } from '../../core/export/targets/target.ts';
import type { SealedSecret } from '../../core/outbound/sealed-secret.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { explainError } from '../describe-error.ts';
import type { Session } from '../session.ts';
import { printTarget } from './describe-target.ts';
import { replaceQuestion } from './questions.ts';
import { findBefore, printTargetWithSecret, requireTarget, targetStoreOf } from './target-record.ts';
import { requestTest } from './verification-client.ts';

type Registration = {
  destination: Destination;
  types?: string[] | undefined;
  webhookSecrets?: SealedSecret[] | undefined;
  /** Newly made. */
  secret?: string | undefined;
  /** Another destination that takes events is replaced without asking. */
  yes?: true | undefined;
};

/** Registers a target, has the service test it, and prints it. */
export async function registerTarget(
  session: Session,
  deployment: Deployment,
  ref: TargetRef,
  { destination, types, webhookSecrets, secret, yes }: Registration,
): Promise<void> {
  const before = await findBefore(deployment, ref);
  if (before && before !== 'malformed' && isReplaced(before, destination))
    await session.confirmIfPossible(await replaceQuestion(deployment, before, destination), yes);
  await targetStoreOf(deployment).register(ref, destination, Date.now(), types, webhookSecrets);
  const { target, failure } = await haveTested(session, deployment, await requireTarget(deployment, ref));
  if (secret === undefined) await printTarget(session, deployment, target);
  else await printTargetWithSecret(session, deployment, target, secret);
  if (failure) throw failure;
}

/** True if events went there, and would not any more. The end of an export has a question of its own. */
const isReplaced = ({ state, destination: before }: Target, next: Destination): boolean =>
  isPlace(before) && isPlace(next) && state !== 'validating' && !isDeepStrictEqual(before, next);

/** A target in validation goes live with the first test that passes. The target is registered also if nobody can be asked. */
async function haveTested(
  session: Session,
  deployment: Deployment,
  target: Target,
): Promise<{ target: Target; failure?: CommandError }> {
  if (target.state !== 'validating') return { target };
  const names = `${target.tenantId} ${target.category} ${deployment.selector}`;
  try {
    const asked = await requestTest(deployment, target);
    session.note(
      `The service tests the target now, and repeats a test that fails. To see the outcome: omi target status ${names}`,
    );
    return { target: asked };
  } catch (error) {
    const failure = new CommandError(
      `The target is registered, but its test could not be requested. ${explainError(error).what}`,
      `Ask again: omi target test ${names}`,
    );
    return { target, failure };
  }
}
