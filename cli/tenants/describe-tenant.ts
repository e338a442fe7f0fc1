import type { TenantSettings } from '../../core/domain/tenant.ts';
import { fields } from '../text-table.ts';
import type { Profile } from './tenant-directory.ts';

/** What scripts get of a tenant. */
export const tenantView = ({ tenantId, name, settings }: Profile) => ({ tenantId, name, settings });

export const describeTenant = ({ tenantId, name, settings }: Profile): string =>
  fields({ tenant: tenantId, name, ...describeSettings(settings) });

const describeSettings = ({ numberMatching, genericPushText, maxDevices, pushLimits }: TenantSettings) => ({
  'number matching': numberMatching,
  'generic text': genericPushText ?? '(none: lock screens show the message)',
  'devices per user': maxDevices,
  'pushes per user': `${pushLimits.perTenMinutes} in 10 minutes, ${pushLimits.perDay} in 24 hours`,
  'pause after': `${pushLimits.pauseAfter} bad ends: ${pushLimits.pauseSeconds} s, at most ${pushLimits.longestPauseSeconds} s`,
  'pause after not me': `${pushLimits.notMePauseSeconds} s`,
});
