import { AilingTargets } from '../../core/export/notices/ailing-target-store.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { printTarget } from './describe-target.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

export const acknowledgeTargetCommand = defineCommand<TargetOptions>({
  name: 'acknowledge',
  description:
    'Says that you know of the trouble: the alarm target-stuck leaves the target out until the trouble is over, so that it rings for the next one.',
  ids: [tenantId, categoryId],
  options: [],
  examples: [`target acknowledge ${exampleTenant} log`],
  run: acknowledge,
});

async function acknowledge(session: Session, options: TargetOptions): Promise<void> {
  const deployment = await session.deployment();
  const ref = refOf(options);
  const target = await requireTarget(deployment, ref);
  const ailing = new AilingTargets(deployment.clients.dynamodb, deployment.tables.tenants);
  if (!(await ailing.acknowledge(ref, Date.now())))
    throw new CommandError('The target has no trouble.', '"omi target list" shows which ones have.');
  session.note('The alarm target-stuck leaves this target out until its trouble is over.');
  await printTarget(session, deployment, target);
}
