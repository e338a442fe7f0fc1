import { AilingTargets } from '../../core/export/notices/ailing-target-store.ts';
import { hours, rfc3339 } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { numberOption } from '../options.ts';
import type { Session } from '../session.ts';
import { printTarget } from './describe-target.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { for?: number };

const usualHours = 24;

export const acknowledgeTargetCommand = defineCommand<Options>({
  name: 'acknowledge',
  description:
    'Says that you know of the trouble: the alarm target-stuck leaves the target out for some hours, or until the trouble is over, so that it rings for the next one.',
  ids: [tenantId, categoryId],
  options: [
    numberOption('--for <hours>', `for how many hours (default: ${usualHours})`, {
      from: 1,
      to: 336,
      example: 48,
    }),
  ],
  examples: [`target acknowledge ${exampleTenant} log`, `target acknowledge ${exampleTenant} log --for 48`],
  run: acknowledge,
});

async function acknowledge(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const ref = refOf(options);
  const target = await requireTarget(deployment, ref);
  const ailing = new AilingTargets(deployment.clients.dynamodb, deployment.tables.tenants);
  const until = Date.now() + (options.for ?? usualHours) * hours;
  if (!(await ailing.acknowledge(ref, until)))
    throw new CommandError('The target has no trouble.', '"omi target list" shows which ones have.');
  session.note(
    `The alarm target-stuck leaves this target out until ${rfc3339(until)}, or until its trouble is over.`,
  );
  await printTarget(session, deployment, target);
}
