import { dismissBody, dismissGivenUp } from '../../core/export/targets/dismiss-given-up.ts';
import { GivenUpEvents } from '../../core/export/targets/given-up-store.ts';
import { lostText } from '../../core/export/targets/target-status.ts';
import { openLosses } from '../../core/export/targets/target.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { operatorContext, producer } from '../operator-events.ts';
import { checkedOption, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { printTarget } from './describe-target.ts';
import { situationOf } from './questions.ts';
import { refOf, requireTarget, targetStoreOf, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { reason: string; yes?: true };

const exampleReason = 'The bank has them from an export';

export const dismissTargetCommand = defineCommand<Options>({
  name: 'dismiss',
  description:
    'Ends the reports of events that were given up, without a replay: they stay missing. The tenant\'s log says why. "omi export" still has them for 14 days.',
  ids: [tenantId, categoryId],
  options: [
    checkedOption('--reason <text>', 'why nobody replays them, for people', dismissBody.entries.reason, {
      example: exampleReason,
    }).makeOptionMandatory(),
    yesOption(),
  ],
  examples: [`target dismiss ${exampleTenant} log --reason "${exampleReason}"`],
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
  const question = `${await situationOf(deployment, target)} ${lostText(losses)} events were given up. Leave them missing?`;
  await session.confirm(question, options.yes);
  const { clients, tables } = deployment;
  const deps = {
    targets: targetStoreOf(deployment),
    givenUp: new GivenUpEvents(clients.dynamodb, tables.tenants),
    eventsTable: tables.events,
    producer,
  };
  const dismissal = { who: 'operator', reason: options.reason };
  await printTarget(session, deployment, await dismissGivenUp(deps, ref, dismissal, operatorContext()));
}
