import type { Brand } from '../../core/tenants/brand.ts';
import type { TenantSettings } from '../../core/tenants/tenant.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { fields } from '../text-table.ts';
import type { Profile } from './profile-store.ts';

export type TenantState = 'active' | 'suspended' | 'deleted';

type Times = Pick<Profile, 'suspendedAt' | 'deletedAt'>;

export function tenantState({ suspendedAt, deletedAt }: Times): TenantState {
  if (deletedAt !== undefined) return 'deleted';
  return suspendedAt === undefined ? 'active' : 'suspended';
}

/** Since when the tenant is suspended or deleted. */
const sinceOf = ({ suspendedAt, deletedAt }: Times): string | undefined => {
  const since = deletedAt ?? suspendedAt;
  return since === undefined ? undefined : rfc3339(since);
};

/** A tenant as JSON. */
export const tenantView = ({ tenantId, name, settings, brand, ...times }: Profile) => {
  const since = sinceOf(times);
  return {
    ...{ tenantId, name, state: tenantState(times) },
    ...(since !== undefined && { since }),
    ...(brand && { brand }),
    settings,
  };
};

export const describeTenant = ({ tenantId, name, settings, brand, ...times }: Profile): string =>
  fields({
    tenant: tenantId,
    name,
    state: [tenantState(times), sinceOf(times)].filter(Boolean).join(' since '),
    ...(brand && { brand: describeBrand(brand) }),
    ...describeSettings(settings),
  });

const describeBrand = ({ name, color, logo, supportUrl }: Brand): string =>
  [name, color, logo && `${logo} logo`, supportUrl].filter(Boolean).join(', ');

const describeSettings = ({
  numberMatching,
  genericPushText,
  maxDevices,
  furtherDevices,
  userVerification,
  evidenceInEvents,
  longestLifetime,
  openPerDevice,
  eventsPerSecond,
  pushLimits,
}: TenantSettings) => ({
  'number matching': numberMatching,
  'generic text': genericPushText ?? '(none: lock screens show the message)',
  'devices per user': maxDevices,
  'further devices': furtherDevices,
  'user verification': userVerification,
  'evidence in events': evidenceInEvents,
  'longest lifetime': `${longestLifetime} s`,
  'open per device': openPerDevice,
  'events per second': eventsPerSecond,
  'pushes per user': `${pushLimits.perTenMinutes} in 10 minutes, ${pushLimits.perDay} in 24 hours`,
  'pause after': `${pushLimits.pauseAfter} unsuccessful confirmations in a row: ${pushLimits.pauseSeconds} s, at most ${pushLimits.longestPauseSeconds} s`,
  'pause after not me': `${pushLimits.notMePauseSeconds} s`,
});
