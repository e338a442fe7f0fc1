/** Keys in the tenants table. All items of a client are in one partition. */
export const tenantKeys = {
  profile: (tenantId: string) => ({ pk: `tenant#${tenantId}`, sk: 'profile' }),
  /** The bytes of the tenant's logo. */
  logo: (tenantId: string) => ({ pk: `tenant#${tenantId}`, sk: 'logo' }),
  client: (clientId: string) => ({ pk: `client#${clientId}`, sk: 'client' }),
  /** Which client a restore made in place of this one. */
  replacement: (tenantId: string, clientId: string) => ({
    pk: `tenant#${tenantId}`,
    sk: `replacement#${clientId}`,
  }),
  /** Whom the service tells when an export waits for the tenant. */
  contact: (tenantId: string) => ({ pk: `tenant#${tenantId}`, sk: 'contact' }),
  /** What that contact was told. */
  notices: (tenantId: string) => ({ pk: `tenant#${tenantId}`, sk: 'notices' }),
  /** How the client authenticates itself at this service's own OAuth endpoints. */
  clientOauth: (clientId: string) => ({ pk: `client#${clientId}`, sk: 'oauth' }),
  /** The receiver of the client's callbacks. */
  clientCallback: (clientId: string) => ({ pk: `client#${clientId}`, sk: 'callback' }),
  /** The receiver of the client's CIBA notifications. */
  clientNotification: (clientId: string) => ({ pk: `client#${clientId}`, sk: 'notification' }),
};
