import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { BackupClient } from '@aws-sdk/client-backup';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { FirehoseClient } from '@aws-sdk/client-firehose';
import { IAMClient } from '@aws-sdk/client-iam';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';

export type ServiceEndpoint =
  | 'backup'
  | 'cognito'
  | 'dynamodb'
  | 'eventbridge'
  | 'firehose'
  | 'iam'
  | 'kinesis'
  | 'kms'
  | 's3'
  | 'secretsmanager'
  | 'sns'
  | 'sqs'
  | 'sts'
  | 'cloudformation'
  | 'apigateway'
  | 'cloudfront'
  | 'cloudwatch'
  | 'lambda'
  | 'quotas';

/** How to reach AWS. Default credentials and endpoints come from the environment, like in every AWS tool. */
export type AwsAccess = {
  region: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  endpoints?: Partial<Record<ServiceEndpoint, string>>;
};

type Closable = { destroy: () => void };

/** Milliseconds. Without them the command would wait for a lost answer without end. The SDK tries twice more. */
const timeLimits = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** The AWS clients of one command, each created at its first use. */
export class Clients {
  readonly #aws: AwsAccess;
  readonly #made = new Map<ServiceEndpoint, Closable>();
  readonly #elsewhere = new Map<string, Clients>();

  constructor(aws: AwsAccess) {
    this.#aws = aws;
  }

  /** Those of another region. They close with these. */
  in(region: string): Clients {
    const known = this.#elsewhere.get(region) ?? new Clients({ ...this.#aws, region });
    this.#elsewhere.set(region, known);
    return known;
  }

  get backup(): BackupClient {
    return this.#client('backup', BackupClient);
  }

  get dynamodb(): DynamoDBDocumentClient {
    const marshallOptions = { removeUndefinedValues: true };
    return DynamoDBDocumentClient.from(this.tables, { marshallOptions });
  }

  /** For calls about tables, not about items. */
  get tables(): DynamoDBClient {
    return this.#client('dynamodb', DynamoDBClient);
  }

  get sqs(): SQSClient {
    return this.#client('sqs', SQSClient);
  }

  get sns(): SNSClient {
    return this.#client('sns', SNSClient);
  }

  get sts(): STSClient {
    return this.#client('sts', STSClient);
  }

  get iam(): IAMClient {
    return this.#client('iam', IAMClient);
  }

  get firehose(): FirehoseClient {
    return this.#client('firehose', FirehoseClient);
  }

  get kinesis(): KinesisClient {
    return this.#client('kinesis', KinesisClient);
  }

  get kms(): KMSClient {
    return this.#client('kms', KMSClient);
  }

  /** Reaches buckets in any region, also if their names have points. */
  get s3(): S3Client {
    return this.#client('s3', S3Client, { followRegionRedirects: true, forcePathStyle: true });
  }

  get secrets(): SecretsManagerClient {
    return this.#client('secretsmanager', SecretsManagerClient);
  }

  get cognito(): CognitoIdentityProviderClient {
    return this.#client('cognito', CognitoIdentityProviderClient);
  }

  get cloudformation(): CloudFormationClient {
    return this.#client('cloudformation', CloudFormationClient);
  }

  get lambda(): LambdaClient {
    return this.#client('lambda', LambdaClient);
  }

  get cloudwatch(): CloudWatchClient {
    return this.#client('cloudwatch', CloudWatchClient);
  }

  get eventbridge(): EventBridgeClient {
    return this.#client('eventbridge', EventBridgeClient);
  }

  get apigateway(): ApiGatewayV2Client {
    return this.#client('apigateway', ApiGatewayV2Client);
  }

  get cloudfront(): CloudFrontClient {
    return this.#client('cloudfront', CloudFrontClient);
  }

  get quotas(): ServiceQuotasClient {
    return this.#client('quotas', ServiceQuotasClient);
  }

  close(): void {
    for (const client of this.#made.values()) client.destroy();
    this.#made.clear();
    for (const clients of this.#elsewhere.values()) clients.close();
    this.#elsewhere.clear();
  }

  #client<Client extends Closable>(
    service: ServiceEndpoint,
    make: new (config: ClientConfig) => Client,
    besides: object = {},
  ): Client {
    const known = this.#made.get(service);
    if (known) return known as Client;
    const { region, credentials, endpoints } = this.#aws;
    const endpoint = endpoints?.[service];
    const client = new make({
      region,
      ...besides,
      // HTTP/1.1, which every service supports. One for each client, because a client closes its handler.
      requestHandler: new NodeHttpHandler(timeLimits),
      ...(credentials && { credentials }),
      ...(endpoint !== undefined && { endpoint }),
    });
    this.#made.set(service, client);
    return client;
  }
}

type ClientConfig = {
  region: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  endpoint?: string;
  requestHandler: NodeHttpHandler;
};
