import type { NumberMatchingMode } from '../../../core/tenants/tenant.ts';

/** The tenants of the local stack. Their ids are the same in every stack; their clients' secrets differ. */
export type LocalTenant = { tenantId: string; name: string; clientId: string };

export const localTenants: readonly [LocalTenant, LocalTenant] = [
  { tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', name: 'Demo', clientId: 'demo-website' },
  { tenantId: 'b2a7f9d4-13c8-4f5e-8a6b-7e2d90c4e502', name: 'Neighbour', clientId: 'neighbour-website' },
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

const [demo] = localTenants;

/** The clients of the demo bank, a website of the first tenant: only what can do most harm needs a number. */
export const bankClients = {
  usual: { clientId: 'demo-bank', tenantId: demo.tenantId, name: 'Demo bank' },
  limits: {
    clientId: 'demo-bank-limits',
    tenantId: demo.tenantId,
    name: 'Demo bank',
    numberMatching: 'pick',
  },
} as const satisfies Record<string, LocalClient>;

export const localClients: readonly LocalClient[] = [
  ...localTenants.map(({ clientId, tenantId }) => ({ clientId, tenantId })),
  ...Object.values(bankClients),
];
