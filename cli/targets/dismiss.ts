import { GivenUpEvents } from '../../core/export/targets/given-up-store.ts';
import { lostText } from '../../core/export/targets/target-status.ts';
import { openLosses } from '../../core/export/targets/target.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { printTarget } from './describe-target.ts';
import { situationOf } from './questions.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { yes?: true };

export const dismissTargetCommand = defineCommand<Options>({
  name: 'dismiss',
  description:
    'Ends the reports of events that were given up, without a replay: they stay missing in the bucket. "omi export" still has them for 14 days.',
  ids: [tenantId, categoryId],
  options: [yesOption()],
  examples: [`target dismiss ${exampleTenant} log --yes`],
  run: dismiss,
});

async function dismiss(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const ref = refOf(options);
  const target = await requireTarget(deployment, ref);
  const losses = openLosses(target);
  if (losses.length === 0) {
    session.note('No events were given up, so there is nothing to dismiss.');
    await printTarget(session, deployment, target);
    return;
  }
  const question = `${await situationOf(deployment, target)} ${lostText(losses)} events were given up. Leave them missing in the bucket?`;
  await session.confirm(question, options.yes);
  const events = new GivenUpEvents(deployment.clients.dynamodb, deployment.tables.tenants);
  if (!(await events.dismissed(target, Date.now())))
    throw new CommandError('The target has changed in the meantime.', 'Run the command again.');
  await printTarget(session, deployment, await requireTarget(deployment, ref));
}
