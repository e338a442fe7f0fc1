import { patientLimits } from '../../../core/tenants/patient-limits.ts';
import {
  defaultSettings,
  type NumberMatchingMode,
  type TenantSettings,
} from '../../../core/tenants/tenant.ts';

/** The tenants of the local stack. Their ids are the same in every stack; their clients' secrets differ. */
export type LocalTenant = { tenantId: string; name: string; clientId: string; settings: TenantSettings };

const settings: TenantSettings = { ...defaultSettings, furtherDevices: 'free' };

export const localTenants: readonly [LocalTenant, LocalTenant, LocalTenant] = [
  { tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', name: 'Demo', clientId: 'demo-website', settings },
  {
    tenantId: 'b2a7f9d4-13c8-4f5e-8a6b-7e2d90c4e502',
    name: 'Neighbour',
    clientId: 'neighbour-website',
    settings,
  },
  // People try one thing after the other here. Its first client is for a website of the reader's own.
  {
    tenantId: 'c94e1a70-2d6b-4f38-b1e5-90f7d38a6c03',
    name: 'Demo bank',
    clientId: 'first-website',
    settings: { ...settings, pushLimits: patientLimits, showVotes: 'on' },
  },
];

/** A client of a local tenant. */
export type LocalClient = {
  clientId: string;
  tenantId: string;
  /** Shown on devices; without it they show the id. */
  name?: string;
  /** Overrules the tenant's setting. */
  numberMatching?: NumberMatchingMode;
};

const [demo, , { tenantId: bankTenantId, clientId: websiteClientId }] = localTenants;

/** The client that `npm start` prints, and that of `website.env`. */
export const clientsOfDevelopers: readonly string[] = [demo.clientId, websiteClientId];

/** The clients of the demo bank: only what can do most harm needs a number. */
export const bankClients = {
  usual: { clientId: 'demo-bank', tenantId: bankTenantId, name: 'Demo bank' },
  limits: {
    clientId: 'demo-bank-limits',
    tenantId: bankTenantId,
    name: 'Demo bank',
    numberMatching: 'pick',
  },
} as const satisfies Record<string, LocalClient>;

export const localClients: readonly LocalClient[] = [
  ...localTenants.map(({ clientId, tenantId }) => ({
    ...{ clientId, tenantId },
    ...(clientId === websiteClientId && { name: 'Your website' }),
  })),
  ...Object.values(bankClients),
];
