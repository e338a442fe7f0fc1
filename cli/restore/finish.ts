import type { TableName } from '../../core/aws/tables.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { UsageError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { markMinutes } from './mark-minutes.ts';
import { type Chosen, describeRestored, planOthers, restoreOthers } from './other-parts.ts';
import { handedOverWithin, sendAgain } from './send-again.ts';

type Finish = Omit<Chosen, 'isNewPool'> & {
  names: readonly TableName[];
  at: number;
  /** The stage has neither the user pool nor the queues that it had. */
  isNewPlace?: boolean;
};

/** What is left to do once the stage uses the restored tables. */
export async function finish(
  session: Session,
  deployment: Deployment,
  { names, at, isNewPlace = false, ...chosen }: Finish,
): Promise<void> {
  const { backup, clients, dryRun } = chosen;
  const isWhole = names.includes('tenants') || backup !== undefined;
  if (!isWhole && clients.length > 0)
    throw new UsageError('--client needs --from, or the table tenants among those of --table.');
  session.note('The stage uses the restored tables.');
  const needed = names.includes('events') && !dryRun;
  const sentAgain = needed ? await sendAgain(deployment, at, isNewPlace) : [];
  const isLogBehind = !dryRun && (names.includes('events') || names.includes('log'));
  const marked = isLogBehind ? await markMinutes(deployment, at - handedOverWithin) : 0;
  // Last, because it may stop for a decision of the operator, and events must not wait for that.
  const plan = isWhole
    ? await planOthers(session, deployment, { ...chosen, isNewPool: isNewPlace })
    : undefined;
  const others = plan && (await restoreOthers(session, deployment, { plan, backup, dryRun }));
  const sent =
    sentAgain.length === 0
      ? 'There is nothing more to do with the tables.'
      : `${sentAgain.length} replays have begun, of the hour before ${rfc3339(at)}${isNewPlace ? ', and of all that waited' : ''}. Consumers drop what they have.`;
  session.print(
    { at: rfc3339(at), inUse: true, sentAgain, marked, ...others },
    [sent, ...(others ? [describeRestored(others)] : [])].join('\n'),
  );
}
