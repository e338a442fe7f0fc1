/** Returns the errors of AWS as the code of a Lambda sees them. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  EndpointDisabledException,
  PublishCommand,
  SNSClient,
  SNSServiceException,
} from '@aws-sdk/client-sns';
import { KMSClient, KMSServiceException, SignCommand } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const table = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }));
const sns = new SNSClient({ maxAttempts: 1 });
const kms = new KMSClient({ maxAttempts: 1 });

const classes = {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
  EndpointDisabledException,
  SNSServiceException,
  KMSServiceException,
};

function seen(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  return {
    ...(Object.fromEntries(Object.entries(error)) as Record<string, unknown>),
    name,
    message,
    classes: Object.entries(classes).flatMap(([known, type]) => (error instanceof type ? [known] : [])),
  };
}

const callOf = {
  dynamodb: async (key: string) => await table.send(new GetCommand({ TableName: 'table', Key: { pk: key } })),
  sns: async (message: string) =>
    await sns.send(new PublishCommand({ TargetArn: 'arn:aws:sns:eu-west-1:1:x', Message: message })),
  kms: async (KeyId: string) =>
    await kms.send(new SignCommand({ KeyId, Message: new Uint8Array(1), SigningAlgorithm: 'ECDSA_SHA_256' })),
};

/** Makes one call for each wanted error. The call contains the error's name, for the server that answers it. */
export const handler = async (wanted: { service: keyof typeof callOf; error: string }[]) => {
  const errors: unknown[] = [];
  for (const { service, error } of wanted)
    errors.push(await callOf[service](error).then(() => undefined, seen));
  return errors;
};
