/** The keys of the tenants table that name a tenant or one of its clients. */
export const tenantKeys = {
  profile: (tenantId: string) => ({ pk: `tenant#${tenantId}`, sk: 'profile' }),
  client: (clientId: string) => ({ pk: `client#${clientId}`, sk: 'client' }),
};
