import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { defaultSettings } from '../../core/tenants/tenant.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { exampleTenant, uuid } from '../ids.ts';
import { checkedOption } from '../options.ts';
import type { Session } from '../session.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { applySettings, nameOption, settingsOptions, type SettingsOptions } from './options.ts';
import { profileStoreOf } from './profile-store.ts';
import { applyLabels, labelOption, type LabelOptions } from './labels.ts';
import { arrangeTestUsers, productionOption, type ProductionOption, requireConsent } from './test-users.ts';
import { warnOfNamesake } from './warn-of-namesake.ts';

type Options = SettingsOptions & ProductionOption & LabelOptions & { name: string; id?: string };

export const createTenantCommand = defineCommand<Options>({
  name: 'create',
  description: 'Creates a tenant. Omitted settings get their defaults.',
  options: [
    nameOption('a name for people').makeOptionMandatory(),
    checkedOption('--id <id>', 'its id (default: a new one). With it the command can be repeated', uuid, {
      expected: 'a UUID',
      example: exampleTenant,
    }),
    ...settingsOptions(),
    labelOption(),
    productionOption(),
  ],
  examples: [
    'tenant create --name "Example Bank"',
    'tenant create --name "Example Bank" --number-matching pick --max-devices 3',
  ],
  run: createTenant,
});

/** Creating the same tenant again changes nothing, so that a script can repeat the command. */
async function createTenant(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  requireConsent(deployment, options);
  const profiles = profileStoreOf(deployment);
  const tenantId = options.id ?? randomUUID();
  const labels = applyLabels({}, options);
  const tenant = {
    ...{ tenantId, name: options.name, settings: applySettings(defaultSettings, options) },
    ...(options.label && { labels }),
  };
  if (!(await profiles.create(tenant))) {
    const found = await profiles.find(tenantId);
    if (!found || !isDeepStrictEqual(tenantView(found), tenantView(tenant)))
      throw new CommandError(
        `The tenant ${tenantId} already exists, with another name, other settings or another state.`,
        `"omi tenant show ${tenantId}" shows it, and "omi tenant set ${tenantId}" changes it.`,
      );
    session.note('The tenant existed already.');
  } else await warnOfNamesake(session, profiles, tenant);
  if (options.testUsers) await arrangeTestUsers(deployment, tenant);
  session.print(tenantView(tenant), describeTenant(tenant));
}
