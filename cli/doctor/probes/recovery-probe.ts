import { clientStoreOf } from '../../clients/client-store.ts';
import { lacksRecovery, recoveryAdvice } from '../../tenants/lacks-recovery.ts';
import { profileStoreOf } from '../../tenants/profile-store.ts';
import type { Probe } from '../probe.ts';

/** Tenants whose users could not be helped after they lost every device. */
export const recoveryProbe: Probe = {
  name: 'recovery',
  check: async (deployment) => {
    const tenants = (await profileStoreOf(deployment).list()).filter(
      ({ settings, deletedAt }) => settings.furtherDevices === 'confirm' && deletedAt === undefined,
    );
    if (tenants.length === 0) return [];
    const clients = Map.groupBy(await clientStoreOf(deployment).list(), ({ tenantId }) => tenantId);
    return tenants
      .filter((tenant) => lacksRecovery(tenant, clients.get(tenant.tenantId) ?? []))
      .map(({ tenantId, name }) => ({
        subject: `${tenantId} ${name}`,
        ok: true,
        warning: true,
        detail: 'further devices need a confirmation, and no client may help users who lost every device',
        fix: recoveryAdvice,
      }));
  },
};
