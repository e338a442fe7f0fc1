/** Keys in the tenants table. */
export const tenantKeys = {
  profile: (tenantId: string) => ({ pk: `tenant#${tenantId}`, sk: 'profile' }),
  client: (clientId: string) => ({ pk: `client#${clientId}`, sk: 'client' }),
};
