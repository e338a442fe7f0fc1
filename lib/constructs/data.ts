import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type TableDefinition, type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import { namedAs } from './named-as.ts';
import { published, titled } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

export type DataProps = { retain: boolean; customerManagedKey: boolean };

const names = Object.keys(definitions) as TableName[];

/** What other stacks know of a table. */
export type TableReference = { tableName: string; tableArn: string; streamArn: string | undefined };

/** The service's tables. */
export class Data extends Construct {
  readonly tables: Readonly<Record<TableName, TableReference>>;
  readonly #keyArn: string | undefined;

  constructor(scope: Construct, id: string, { retain, customerManagedKey }: DataProps) {
    super(scope, id);
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const key = customerManagedKey
      ? new Key(this, 'Key', { enableKeyRotation: true, removalPolicy })
      : undefined;
    this.#keyArn = key && published(this, 'DataKeyArn', key.keyArn);
    const common = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(key
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
        : { encryption: TableEncryption.AWS_MANAGED }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retain,
      removalPolicy,
    };
    const create = (name: TableName): TableReference => {
      const definition: TableDefinition = definitions[name];
      const table = new Table(this, name, { ...common, ...shapeOf(definition) });
      if (definition.index) table.addGlobalSecondaryIndex(indexOf(definition.index));
      return referenceTo(table, name);
    };
    this.tables = Object.fromEntries(names.map((name) => [name, create(name)])) as Record<
      TableName,
      TableReference
    >;
  }

  /** Grants the Lambda what its `access.ts` states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const granted = Object.entries(factsOf(lambda.name).tables ?? {}) as [TableName, readonly string[]][];
    for (const [name, actions] of granted) {
      const table = this.tables[name];
      // The table's own grant methods would also grant all of its indexes.
      const onTable = actions.filter((action) => action !== 'QueryIndex');
      if (onTable.length > 0) lambda.allow(onTable.map(dynamodb), [table.tableArn]);
      if (onTable.length < actions.length) lambda.allow([dynamodb('Query')], [indexArnOf(name, table)]);
    }
    if (granted.length > 0) this.#grantKey(lambda);
  }

  get variables() {
    return namedAs('TABLE', this.tables, ({ tableName }) => tableName);
  }

  /** For a Lambda that only a deployment calls. The deployment waits for the grants. */
  allow(lambda: ServiceFunction, name: TableName, actions: readonly string[]): Grant[] {
    return [lambda.allow(actions.map(dynamodb), [this.tables[name].tableArn]), ...this.#grantKey(lambda)];
  }

  /** Lets Lambda read the table's stream, which it does with the function's own permissions. */
  feed(lambda: ServiceFunction, name: TableName): { streamArn: string } {
    const { streamArn } = this.tables[name];
    if (streamArn === undefined) throw new Error(`The table ${name} has no stream.`);
    lambda.allow(streamActions.map(dynamodb), [streamArn]);
    this.#grantKey(lambda);
    return { streamArn };
  }

  /** DynamoDB uses the key on behalf of the caller. The condition forbids any other use. */
  #grantKey(lambda: ServiceFunction): Grant[] {
    if (this.#keyArn === undefined) return [];
    const conditions = {
      StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.amazonaws.com` },
    };
    return [lambda.allow(keyActions, [this.#keyArn], conditions)];
  }
}

const referenceTo = (table: Table, name: TableName): TableReference => ({
  tableName: published(table, `${titled(name)}Table`, table.tableName),
  tableArn: published(table, `${titled(name)}TableArn`, table.tableArn),
  streamArn: table.tableStreamArn && published(table, `${titled(name)}StreamArn`, table.tableStreamArn),
});

const dynamodb = (action: string): string => `dynamodb:${action}`;

const indexArnOf = (name: TableName, { tableArn }: TableReference): string => {
  const { index }: TableDefinition = definitions[name];
  if (!index) throw new Error(`The table ${name} has no index.`);
  return `${tableArn}/index/${index.name}`;
};

/** The permissions that an event source mapping needs. */
const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

/** The permissions that a caller of an encrypted table needs: "Authorizing use of your customer managed key" in DynamoDB's guide. */
const keyActions = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

const text = (name: string) => ({ name, type: AttributeType.STRING });

const views = { new: StreamViewType.NEW_IMAGE, 'new-and-old': StreamViewType.NEW_AND_OLD_IMAGES } as const;

/** What a definition says of a table, for CDK. */
export const shapeOf = ({ sorted, expires, stream }: TableDefinition) => ({
  partitionKey: text('pk'),
  ...(sorted && { sortKey: text('sk') }),
  ...(expires && { timeToLiveAttribute: 'ttl' }),
  ...(stream && { stream: views[stream] }),
});

const indexOf = ({ name, partitionKey, sortKey, copies }: NonNullable<TableDefinition['index']>) => ({
  indexName: name,
  partitionKey: text(partitionKey),
  sortKey: text(sortKey),
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: [...copies],
});
