import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { endExport } from './end-export.ts';
import type { TargetOptions } from './target-record.ts';

type Options = TargetOptions & { yes?: true };

export const setNoneCommand = defineCommand<Options>({
  name: 'none',
  description: 'Ends the export of a category. Waiting events are not delivered.',
  ids: [tenantId, categoryId],
  options: [yesOption()],
  examples: [`target set none ${exampleTenant} log --yes`],
  run: setNone,
});

async function setNone(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  await endExport(session, deployment, options);
}
