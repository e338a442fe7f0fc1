/** The tenants of the local stack. Their ids are the same in every stack; their clients' secrets differ. */
export type LocalTenant = { tenantId: string; name: string; clientId: string };

export const localTenants: readonly LocalTenant[] = [
  { tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', name: 'Demo', clientId: 'demo-website' },
  { tenantId: 'b2a7f9d4-13c8-4f5e-8a6b-7e2d90c4e502', name: 'Neighbour', clientId: 'neighbour-website' },
];
