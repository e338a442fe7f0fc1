import { type Variables, websiteVariables } from '../../tools/client/website-variables.ts';
import type { LocalDescription } from '../deployment/local-description.ts';

/** How a website of the demo's tenant calls the local stack, and where people open its pages. */
export function localVariables({
  baseUrl,
  tokenUrl,
  tenants,
  appUrl,
  exportsUrl,
  siteUrl,
}: LocalDescription): Variables {
  const [tenant] = tenants;
  return {
    ...websiteVariables({ baseUrl, tokenUrl, ...tenant }),
    ...(siteUrl !== undefined && { OMI_SITE_URL: siteUrl }),
    ...(appUrl !== undefined && { OMI_APP_URL: appUrl }),
    ...(exportsUrl !== undefined && { OMI_EXPORTS_URL: exportsUrl }),
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
    // The AWS CLI and boto3 read only this name.
    AWS_DEFAULT_REGION: region,
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
