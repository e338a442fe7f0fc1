import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, type Grant, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type TableDefinition, type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import { namedAs } from './named-as.ts';
import { published, titled } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

export type DataProps = StageConfig['data'];

const names = Object.keys(definitions) as TableName[];

/** What other stacks know of a table. */
export type TableReference = { tableName: string; tableArn: string; streamArn: string | undefined };

/** The service's tables. */
export class Data extends Construct {
  readonly tables: Readonly<Record<TableName, TableReference>>;

  constructor(
    scope: Construct,
    id: string,
    { retain, customerManagedKey, warmThroughput, tables: restored }: DataProps,
  ) {
    super(scope, id);
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const key = customerManagedKey
      ? new Key(this, 'Key', { enableKeyRotation: true, removalPolicy })
      : undefined;
    key?.addToResourcePolicy(throughDynamoDb());
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
      const warm = warmed(warmThroughput[name]);
      const shape = { ...common, ...shapeOf(definition), ...warm };
      const tableName = restored[name];
      const table =
        tableName === undefined
          ? new Table(this, name, shape)
          : new Table(this, tableName, { ...shape, ...adopted, tableName });
      if (definition.index) table.addGlobalSecondaryIndex({ ...indexOf(definition.index), ...warm });
      return referenceTo(table, name);
    };
    this.tables = Object.fromEntries(names.map((name) => [name, create(name)])) as Record<
      TableName,
      TableReference
    >;
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const granted = Object.entries(factsOf(lambda.name).tables ?? {}) as [TableName, readonly string[]][];
    for (const [name, actions] of granted) {
      const table = this.tables[name];
      // The table's own grant methods would also grant all of its indexes.
      const onTable = actions.filter((action) => action !== 'QueryIndex');
      if (onTable.length > 0) lambda.allow(onTable.map(dynamodb), [table.tableArn]);
      if (onTable.length < actions.length) lambda.allow([dynamodb('Query')], [indexArnOf(name, table)]);
    }
  }

  get variables() {
    return namedAs('TABLE', this.tables, ({ tableName }) => tableName);
  }

  /** For a Lambda that only a deployment calls. The deployment waits for the grants. */
  allow(lambda: ServiceFunction, name: TableName, actions: readonly string[]): Grant[] {
    return [lambda.allow(actions.map(dynamodb), [this.tables[name].tableArn])];
  }

  /** Lets Lambda read the table's stream, which it does with the function's own permissions. */
  feed(lambda: ServiceFunction, name: TableName): { streamArn: string } {
    const { streamArn } = this.tables[name];
    if (streamArn === undefined) throw new Error(`The table ${name} has no stream.`);
    lambda.allow(streamActions.map(dynamodb), [streamArn]);
    return { streamArn };
  }
}

/**
 * A restored table exists already, and CloudFormation imports it by its name. It takes only what it would retain, and another
 * resource than the table before. The CLI has protected the table.
 */
const adopted = { deletionProtection: true, removalPolicy: RemovalPolicy.RETAIN };

const warmed = (units: DataProps['warmThroughput'][TableName]) =>
  units && {
    warmThroughput: {
      ...(units.reads !== undefined && { readUnitsPerSecond: units.reads }),
      ...(units.writes !== undefined && { writeUnitsPerSecond: units.writes }),
    },
  };

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

/**
 * Whoever in the account may use a table may use it with its key, and nobody may use the key otherwise. DynamoDB's own key has
 * this policy, too: "Authorizing use of the AWS managed key" in DynamoDB's guide. Since no role is named, the key can be switched
 * on and off while Lambdas of every version run.
 */
const throughDynamoDb = (): PolicyStatement =>
  new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*'].map(
      (name) => `kms:${name}`,
    ),
    resources: ['*'],
    conditions: {
      StringEquals: {
        'kms:CallerAccount': Aws.ACCOUNT_ID,
        'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com`,
      },
    },
  });

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
