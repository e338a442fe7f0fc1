import packageJson from '../../../package.json' with { type: 'json' };
import { accountId } from '../aws/identity.ts';

export type AwsAccess = { region: string; endpoints: Record<string, string> };

/** The access key of a Lambda, which identifies it in the local AWS. DynamoDB Local accepts only letters and digits. */
export const accessKeyIdOf = (lambda: string): string =>
  `LAMBDA${lambda.replace(/[^a-z0-9]/gi, '').toUpperCase()}`;

/** The variables that Lambda sets, and the endpoints of the local AWS. */
export function runtimeEnvironment(lambda: string, { region, endpoints }: AwsAccess): Record<string, string> {
  const functionName = `omi-local-${lambda}`;
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyIdOf(lambda),
    AWS_SECRET_ACCESS_KEY: 'local',
    ...endpointVariables(endpoints),
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    OMI_LOCAL_FUNCTION_ARN: `arn:aws:lambda:${region}:${accountId}:function:${functionName}`,
    OMI_STAGE: 'local',
    OMI_VERSION: packageJson.version,
    POWERTOOLS_SERVICE_NAME: 'omi',
    POWERTOOLS_METRICS_NAMESPACE: 'omi',
    POWERTOOLS_LOG_LEVEL: 'INFO',
    TZ: ':UTC',
  };
}

/** Names of services in the SDK's variables that are not the endpoints' names. */
const serviceIds: Record<string, string> = { secretsmanager: 'SECRETS_MANAGER' };

/** The AWS SDK's variables for the endpoints of services. */
function endpointVariables(endpoints: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(endpoints).map(([service, url]) => [
      `AWS_ENDPOINT_URL_${serviceIds[service] ?? service.toUpperCase()}`,
      url,
    ]),
  );
}
