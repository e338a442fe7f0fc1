/** Names and values of environment variables. */
export type Variables = Record<string, string>;

export type WebsiteAccess = {
  baseUrl: string;
  tokenUrl: string;
  tenantId: string;
  clientId: string;
  clientSecret: string;
};

/** What a website needs to call OMI, by the names that the documentation uses. */
export const websiteVariables = (access: WebsiteAccess): Variables => ({
  OMI_BASE_URL: access.baseUrl,
  OMI_TOKEN_URL: access.tokenUrl,
  OMI_TENANT_ID: access.tenantId,
  OMI_CLIENT_ID: access.clientId,
  OMI_CLIENT_SECRET: access.clientSecret,
});
