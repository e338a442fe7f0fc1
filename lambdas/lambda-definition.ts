import type * as v from 'valibot';
import type { QueueName } from '../core/aws/queues.ts';
import type { TableName } from '../core/aws/tables.ts';

/** `QueryIndex` is `Query` on only the table's index. */
type TableAction =
  | 'Scan'
  | 'QueryIndex'
  | 'GetItem'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** `CreatePlatformEndpoint` applies to a platform application, the others to its endpoints. */
type EndpointAction = 'SetEndpointAttributes' | 'DeleteEndpoint' | 'Publish';

/** For the delivery streams of this stage. */
type DeliveryStreamAction =
  | 'PutRecordBatch'
  | 'DescribeDeliveryStream'
  | 'CreateDeliveryStream'
  | 'UpdateDestination'
  | 'DeleteDeliveryStream'
  | 'TagDeliveryStream';

/** The actions on each resource that a Lambda's environment names. */
type Actions = {
  tables: Record<TableName, TableAction>;
  /** SQS requires the same permission for one message and for a batch. */
  queues: Record<QueueName, 'SendMessage' | 'ChangeMessageVisibility'>;
  /** The stage's KMS keys. */
  kms: {
    secrets: 'Encrypt' | 'Decrypt';
    signing: 'Sign';
    receipts: 'Sign';
    signals: 'Sign' | 'GetPublicKey';
    log: 'Sign';
  };
  secrets: { webPush: 'GetSecretValue' };
};

/** The variable that names each resource. */
type Variables = {
  tables: { [Name in TableName]: `${Uppercase<Name>}_TABLE` };
  queues: { [Name in QueueName]: `${Uppercase<Name>}_QUEUE_URL` };
  kms: {
    secrets: 'SECRETS_KEY_ID';
    signing: 'SIGNING_KEY_ID';
    receipts: 'RECEIPT_KEY_ID';
    signals: 'SIGNAL_KEY_IDS';
    log: 'LOG_KEY_ID';
  };
  secrets: { webPush: 'WEB_PUSH_SECRET_ARN' };
};

type Kind = keyof Actions;

type Named<Of extends Kind, Environment> = {
  [Name in keyof Variables[Of]]: Variables[Of][Name] extends keyof Environment ? Name : never;
}[keyof Variables[Of]];

/** An entry for each resource that the environment names, and none for another. */
type Granted<Of extends Kind, Environment> = {
  [Name in keyof Actions[Of] & Named<Of, Environment>]: readonly Actions[Of][Name][];
} & Partial<Record<Exclude<keyof Actions[Of], Named<Of, Environment>>, never>>;

type Tied<Of extends Kind, Environment> = [Named<Of, Environment>] extends [never]
  ? Partial<Record<Of, never>>
  : Record<Of, Granted<Of, Environment>>;

type TiedToEnvironment<Environment> = Tied<'tables', Environment> &
  Tied<'queues', Environment> &
  Tied<'kms', Environment> &
  Tied<'secrets', Environment> &
  ('FCM_APPLICATION_ARN' extends keyof Environment
    ? { push: readonly (EndpointAction | 'CreatePlatformEndpoint')[] }
    : { push?: readonly EndpointAction[] });

/** What is stated of a Lambda. */
export type Facts = { [Of in Kind]?: { [Name in keyof Actions[Of]]?: readonly Actions[Of][Name][] } } & {
  push?: readonly (EndpointAction | 'CreatePlatformEndpoint')[];
  /** Assumes the roles that tenants name. They trust this Lambda's role by its name, so the name never changes. */
  tenantRoles?: 'by-external-id' | 'also-without';
  /** Also assumes the tenants' delivery roles, which are the operator's. */
  deliveryRoles?: true;
  deliveryStreams?: readonly DeliveryStreamAction[];
  /** Passes the tenants' delivery roles to Firehose. */
  passesDeliveryRoles?: true;
  /** Reads metrics of the account: CloudWatch has no permission for single ones. */
  readsMetrics?: true;
  /** Sends mails, if the stage does. */
  mail?: true;
  /** Puts events on the account's default event bus. */
  operatorBus?: true;
  /** Seconds for a call, if it is not the usual time. API Gateway waits for 30. */
  timeoutSeconds?: number;
  /** X-Ray does not record the calls. */
  untraced?: true;
  /**
   * Why the Lambda sends messages to its own queue. Lambda stops a chain of such calls after 16, unless the function may loop:
   * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
   */
  recursiveLoop?: string;
};

/** An object, or a choice or an intersection of several. */
export type EnvironmentShape =
  | { entries: Readonly<Record<string, unknown>> }
  | { options: readonly EnvironmentShape[] };
export type EnvironmentSchema = v.GenericSchema & EnvironmentShape;

/**
 * What a Lambda needs: an entry for each table, queue, key and secret that its environment names, and none for another, which
 * would not compile. `lib/constructs/event-sources.ts` adds what an event source needs. No bundle has it, as no Lambda reads it.
 */
export type LambdaDefinition<Schema extends EnvironmentSchema> = TiedToEnvironment<v.InferInput<Schema>> &
  Facts & { environment: Schema };
