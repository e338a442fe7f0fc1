/** A deployment that CloudFormation made: a stand-in for its control plane, with the local stack's resources behind it. */
import { SetPlatformApplicationAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { KMSClient } from '@aws-sdk/client-kms';
import { PublicKey } from '../../core/keys/signing-key-client.ts';
import { localKeys } from '../../tools/local/resources/kms-keys.ts';
import { localQueues } from '../../tools/local/resources/queues.ts';
import { localTables } from '../../tools/local/resources/tables.ts';
import type { TestStack } from '../support/stack.ts';
import { placeOf } from './commands/tables.ts';
import { type Answer, omi } from './omi.ts';

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const arnOf = (service: string, resource: string): string =>
  `arn:aws:${service}:eu-central-1:000000000000:${resource}`;

export const applicationsOf = (...platforms: string[]): string[] =>
  platforms.map((platform) => arnOf('sns', `app/GCM/omi-local-${platform}`));

export async function setFeedbackRole(stack: TestStack, platform: string, role: string): Promise<void> {
  const [PlatformApplicationArn] = applicationsOf(platform);
  const Attributes = { FailureFeedbackRoleArn: role };
  const sns = new SNSClient(placeOf(stack, 'sns'));
  await sns.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes }));
  sns.destroy();
}

/** Outputs with the names of the keys that sign. */
async function signingKids(stack: TestStack): Promise<Record<'TokenKid' | 'ReceiptKid' | 'LogKid', string>> {
  const kms = new KMSClient(placeOf(stack, 'kms'));
  const [token, receipt, log] = await Promise.all([
    new PublicKey(kms, localKeys.signing, 'token').jwk(),
    new PublicKey(kms, localKeys.receipts, 'receipt').jwk(),
    new PublicKey(kms, localKeys.log, 'log').jwk(),
  ]);
  kms.destroy();
  return { TokenKid: token.kid, ReceiptKid: receipt.kid, LogKid: log.kid };
}

/** The outputs of a stack whose resources are those of the local stack. */
export async function outputsOf(stack: TestStack): Promise<Record<string, string>> {
  const sqs = new SQSClient(placeOf(stack, 'sqs'));
  const queues = Object.entries(localQueues).map(async ([name, QueueName]): Promise<[string, string]> => {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return [`${titled(name)}Queue`, QueueUrl];
  });
  return {
    BaseUrl: stack.file.baseUrl,
    TokenUrl: stack.file.tokenUrl,
    UserPoolId: 'eu-central-1_pool',
    SecretsKeyId: localKeys.secrets,
    ...(await signingKids(stack)),
    ...Object.fromEntries(
      Object.entries(localTables).map(([name, table]) => [`${titled(name)}Table`, table]),
    ),
    ...Object.fromEntries(await Promise.all(queues)),
  };
}

/** Runs `omi` in this process, one command at a time, with AWS where the environment says. */
export async function omiOfStage(
  stack: TestStack,
  args: readonly string[],
  controlPlane: string,
): Promise<Answer> {
  const before = { ...process.env };
  Object.assign(process.env, environmentOf(stack, controlPlane));
  try {
    return await omi(args, { environment: { ...process.env } });
  } finally {
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
  }
}

/** Where the commands find AWS. */
export function environmentOf(stack: TestStack, controlPlane: string): Record<string, string | undefined> {
  const { endpoints } = stack.file.aws as { endpoints: Record<string, string> };
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'OPERATOR',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_CLOUDFORMATION: controlPlane,
    AWS_ENDPOINT_URL_LAMBDA: controlPlane,
    AWS_ENDPOINT_URL_CLOUDWATCH: controlPlane,
    AWS_ENDPOINT_URL_CLOUDFRONT: controlPlane,
    AWS_ENDPOINT_URL_EVENTBRIDGE: controlPlane,
    AWS_ENDPOINT_URL_SERVICE_QUOTAS: controlPlane,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints['dynamodb'],
    AWS_ENDPOINT_URL_SQS: endpoints['sqs'],
    AWS_ENDPOINT_URL_SNS: endpoints['sns'],
    AWS_ENDPOINT_URL_STS: endpoints['sts'],
    AWS_ENDPOINT_URL_IAM: endpoints['sts'],
    AWS_ENDPOINT_URL_KINESIS: endpoints['kinesis'],
    AWS_ENDPOINT_URL_KMS: endpoints['kms'],
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints['secretsmanager'],
    AWS_ENDPOINT_URL_FIREHOSE: endpoints['firehose'],
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: stack.file.issuer,
  };
}
