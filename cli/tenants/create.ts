import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { defaultSettings } from '../../core/tenants/tenant.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { directoryOf } from './directory-of.ts';
import { applySettings, type SettingsOptions } from './options.ts';

type Options = SettingsOptions & { name: string; id?: string };

/** The same tenant once more changes nothing, so that a script may repeat the command. */
export async function createTenant(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const directory = directoryOf(deployment);
  const tenantId = options.id ?? randomUUID();
  const tenant = { tenantId, name: options.name, settings: applySettings(defaultSettings, options) };
  if (!(await directory.create(tenant))) {
    const found = await directory.find(tenantId);
    if (!found || !isDeepStrictEqual(tenantView(found), tenantView(tenant)))
      throw new CommandError(
        `The id ${tenantId} is another tenant's, or this one has other settings or another state.`,
        '"omi tenant show" shows it, "omi tenant set" changes it.',
      );
    session.note('It was there already.');
  }
  session.print(tenantView(tenant), describeTenant(tenant));
}
