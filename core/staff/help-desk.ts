import type { Asker } from '../confirmations/send-confirmation.ts';
import { helpDeskClient } from '../events/own-events.ts';
import type { Profile } from '../tenants/profile.ts';

/** The help desk asks in the tenant's name, without a number to match: the caller reads one out, or there is none. */
export const helpDeskOf = ({ tenantId, name, settings }: Profile): Asker => ({
  tenantId,
  clientId: helpDeskClient,
  requester: { tenant: name, client: 'Help desk' },
  settings: { ...settings, numberMatching: 'off' },
});
