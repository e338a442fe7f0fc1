import { recoveryScope } from '../../core/access/recovery-scope.ts';
import type { TenantClient } from '../clients/tenant-client.ts';
import type { Profile } from './profile-store.ts';

/**
 * Whether nobody can help the tenant's users who lost or removed every device: they need a client with the scope for
 * recovery. The scopes of a client that these commands did not make are known to its issuer alone.
 */
export const lacksRecovery = (
  { settings }: Pick<Profile, 'settings'>,
  clients: readonly Pick<TenantClient, 'scopes'>[],
): boolean =>
  settings.furtherDevices === 'confirm' &&
  !clients.some(({ scopes }) => scopes === undefined || scopes.includes(recoveryScope));

export const recoveryAdvice =
  'Make a client for the help desk: "omi client create" with --scope credential:omi:enrol:qr:post ' +
  `credential:omi:devices:get credential:omi:devices:delete ${recoveryScope}.`;
