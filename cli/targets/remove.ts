import { Option } from 'commander';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { endDelivery, endExport } from './end-export.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { yes?: true; wait: boolean };

export const removeTargetCommand = defineCommand<Options>({
  name: 'remove',
  description: 'Ends a target for good, and revokes the permissions of the delivery role for it.',
  ids: [tenantId, categoryId],
  options: [yesOption(), new Option('--no-wait', 'do not wait until the delivery stream is deleted')],
  examples: [`target remove ${exampleTenant} log --yes`],
  run: removeTarget,
});

/** The delivery role itself stays, without permissions: policies of the tenant name it. */
async function removeTarget(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const ref = refOf(options);
  await requireTarget(deployment, ref);
  await endExport(session, deployment, options);
  if (await endDelivery(session, deployment, ref, options.wait)) return;
  session.note(
    'The delivery stream still exists. Run the command again later to revoke the permissions of the delivery role.',
  );
}
