import { Option } from 'commander';
import type { SealedSecret } from '../../core/outbound/sealed-secret.ts';
import { webhookContext, isWebhook } from '../../core/export/kinds/webhook/record.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { newSigningSecret } from '../signing-secret.ts';
import { nameOf, targetView } from './describe-target.ts';
import {
  printTargetWithSecret,
  refOf,
  requireTarget,
  type TargetOptions,
  targetStoreOf,
} from './target-record.ts';

type Options = TargetOptions & { finish?: true; cancel?: true };

export const rotateTargetCommand = defineCommand<Options>({
  name: 'rotate',
  description:
    'Gives a webhook a second secret, shown once. With both, each call has two signatures. With --finish it deletes the old secret.',
  ids: [tenantId, categoryId],
  options: [
    new Option('--finish', 'delete the old secret: the tenant uses the new one').conflicts('cancel'),
    new Option('--cancel', 'delete the new secret, which was lost or is not needed, and keep the old one'),
  ],
  examples: [
    `target rotate ${exampleTenant} public`,
    `target rotate ${exampleTenant} public --finish`,
    `target rotate ${exampleTenant} public --cancel`,
  ],
  run: rotateTarget,
});

async function rotateTarget(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const target = await requireTarget(deployment, refOf(options));
  if (!isWebhook(target.destination))
    throw new CommandError('This target is not a webhook, so it has no secret.');
  if (options.finish || options.cancel) await deleteOne(session, deployment, target, options);
  else await addSecond(session, deployment, target);
}

async function addSecond(session: Session, deployment: Deployment, target: Target): Promise<void> {
  const { webhookSecrets = [], tenantId: tenant, category } = target;
  const rotate = `omi target rotate ${tenant} ${category} ${deployment.selector}`;
  if (webhookSecrets.length > 1)
    throw new CommandError(
      'This webhook already has two secrets.',
      `If the tenant uses the new secret: ${rotate} --finish\nIf the new secret was lost: ${rotate} --cancel`,
    );
  const { secret, sealed } = await newSigningSecret(deployment, webhookContext(target));
  await replaceSecrets(deployment, target, [sealed, ...webhookSecrets]);
  if (webhookSecrets.length > 0)
    session.note(`The old secret still signs, too. To delete it: ${rotate} --finish`);
  await printTargetWithSecret(session, deployment, target, secret);
}

async function deleteOne(
  session: Session,
  deployment: Deployment,
  target: Target,
  { finish }: Pick<Options, 'finish'>,
): Promise<void> {
  const { webhookSecrets = [] } = target;
  const kept = finish ? webhookSecrets.slice(0, 1) : webhookSecrets.slice(-1);
  const deletedSecrets = webhookSecrets.length - kept.length;
  if (deletedSecrets > 0) await replaceSecrets(deployment, target, kept);
  const done = finish ? 'The old secret is deleted.' : 'The new secret is deleted. The old one still signs.';
  session.print(
    { ...targetView(target, Date.now(), { tenantName: await nameOf(deployment, target) }), deletedSecrets },
    deletedSecrets === 0 ? 'There is only one secret.' : done,
  );
}

async function replaceSecrets(deployment: Deployment, seen: Target, secrets: SealedSecret[]): Promise<void> {
  if (await targetStoreOf(deployment).replaceWebhookSecrets(seen, secrets)) return;
  throw new CommandError('The target was changed at the same time.', 'Run the command again.');
}
