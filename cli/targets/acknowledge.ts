import { acknowledgementOf } from '../../core/export/notices/acknowledgement.ts';
import { hours } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { callerArnOf } from '../deployment/account-client.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { numberOption } from '../options.ts';
import type { Session } from '../session.ts';
import { acknowledgedView, ailingTargetsOf } from './acknowledgements.ts';
import { describeTarget, nameOf, targetView } from './describe-target.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { for?: number };

const usualHours = 24;

export const acknowledgeTargetCommand = defineCommand<Options>({
  name: 'acknowledge',
  description:
    'Says that you know of the trouble: the alarm target-stuck leaves the target out for some hours, or until its state changes, so that it rings for the next one.',
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
  const target = await requireTarget(deployment, refOf(options));
  const now = Date.now();
  const by = await callerArnOf(deployment.clients.sts);
  const until = now + (options.for ?? usualHours) * hours;
  const acknowledgement = acknowledgementOf(target, { by, until }, now);
  if (!(await ailingTargetsOf(deployment).acknowledge(target, acknowledgement)))
    throw new CommandError('The target has no trouble.', '"omi target list" shows which ones have.');
  const acknowledged = acknowledgedView(acknowledgement);
  session.note(
    `The alarm target-stuck leaves this target out until ${acknowledged.until}, or until its state changes.`,
  );
  const known = { tenantName: await nameOf(deployment, target), acknowledged };
  session.print(targetView(target, now, known), describeTarget(target, now, known));
}
