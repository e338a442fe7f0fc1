import type { LocalDescription } from '../deployment/local-description.ts';

/** Names and values of environment variables. */
export type Variables = Record<string, string>;

/** How a website of the demo's tenant calls the local stack. */
export function websiteVariables({ baseUrl, tokenUrl, tenants }: LocalDescription): Variables {
  const [{ tenantId, clientId, clientSecret }] = tenants;
  return {
    OMI_BASE_URL: baseUrl,
    OMI_TOKEN_URL: tokenUrl,
    OMI_TENANT_ID: tenantId,
    OMI_CLIENT_ID: clientId,
    OMI_CLIENT_SECRET: clientSecret,
  };
}

/**
 * What makes the AWS SDKs and the AWS CLI call the local stack. It accepts any credentials.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function awsVariables({ aws }: LocalDescription): Variables {
  const { region, endpoints } = aws;
  const urls = Object.entries({ ...endpoints, iam: endpoints['sts'] ?? '' });
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...Object.fromEntries(urls.map(([service, url]) => [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, url])),
  };
}

/** Lines for a POSIX shell. Between single quotes nothing but a single quote has a meaning. */
export const exportLines = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
    .join('\n');
