import type { Brand } from '../../core/tenants/brand.ts';
import { tenantState } from '../../core/tenants/profile.ts';
import type { TenantSettings } from '../../core/tenants/tenant.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import type { Contact } from '../../core/export/notices/contact.ts';
import { describeContact } from './contact.ts';
import { fields } from '../text-table.ts';
import { labelsText } from './labels.ts';
import type { Profile } from './profile-store.ts';

type Times = Pick<Profile, 'suspendedAt' | 'deletedAt'>;

/** Since when the tenant is suspended or deleted. */
const sinceOf = ({ suspendedAt, deletedAt }: Times): string | undefined => {
  const since = deletedAt ?? suspendedAt;
  return since === undefined ? undefined : rfc3339(since);
};

/** A tenant as JSON. */
export const tenantView = ({ tenantId, name, settings, brand, labels, ...times }: Profile) => {
  const since = sinceOf(times);
  return {
    ...{ tenantId, name, state: tenantState(times) },
    ...(since !== undefined && { since }),
    ...(brand && { brand }),
    ...(labels && Object.keys(labels).length > 0 && { labels }),
    settings,
  };
};

/** What is known of a tenant's contact. */
type Reached = { contact: Contact | undefined; fault?: string | undefined; secret?: string };

export const describeTenant = (
  { tenantId, name, settings, brand, labels, ...times }: Profile,
  reached?: Reached,
): string =>
  fields({
    tenant: tenantId,
    name,
    state: [tenantState(times), sinceOf(times)].filter(Boolean).join(' since '),
    ...(brand && { brand: describeBrand(brand) }),
    ...(labelsText(labels) !== '' && { labels: labelsText(labels) }),
    ...(reached && { contact: describeContact(reached.contact, reached.fault) }),
    ...(reached?.secret !== undefined && { 'contact secret': reached.secret }),
    ...describeSettings(settings),
  });

const describeBrand = ({ name, color, logo, supportUrl, detailLabels }: Brand): string =>
  [name, color, logo && `${logo} logo`, supportUrl, detailLabels && 'labels of details']
    .filter(Boolean)
    .join(', ');

const describeSettings = ({
  numberMatching,
  genericPushText,
  maxDevices,
  furtherDevices,
  userVerification,
  recoveryBy,
  evidenceInEvents,
  showVotes,
  testUsers,
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
  'recovery by': recoveryBy === 'one' ? 'one member of staff' : 'two members of staff',
  'evidence in events': evidenceInEvents,
  'votes shown': showVotes,
  'test users': testUsers,
  'longest lifetime': `${longestLifetime} s`,
  'open per device': openPerDevice,
  'events per second': eventsPerSecond,
  'pushes per user': `${pushLimits.perTenMinutes} in 10 minutes, ${pushLimits.perDay} in 24 hours`,
  'pause after': `${pushLimits.pauseAfter} unsuccessful confirmations in a row: ${pushLimits.pauseSeconds} s, at most ${pushLimits.longestPauseSeconds} s`,
  'pause after not me': `${pushLimits.notMePauseSeconds} s`,
});
