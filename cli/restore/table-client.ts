import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListBackupsCommand,
  PutResourcePolicyCommand,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  type TableDescription,
  TableInUseException,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableDefinition } from '../../core/aws/tables.ts';
import type { OperatorAccount } from '../deployment/account-client.ts';

/** Milliseconds since 1970. */
export type Window = { earliest: number; latest: number };

export type SystemBackup = { arn: string; deletedAt: number };

const views = { new: 'NEW_IMAGE', 'new-and-old': 'NEW_AND_OLD_IMAGES' } as const;

/** The same restore by another run of the command serves equally well: the name says the moment. */
async function begun(restore: Promise<object>): Promise<void> {
  await restore.catch((error: unknown) => {
    if (!(error instanceof TableAlreadyExistsException || error instanceof TableInUseException)) throw error;
  });
}

/** Tables as a whole, and what AWS keeps of them. */
export class RestoringTables {
  readonly #client: DynamoDBClient;

  constructor(client: DynamoDBClient) {
    this.#client = client;
  }

  async find(TableName: string): Promise<TableDescription | undefined> {
    try {
      return (await this.#client.send(new DescribeTableCommand({ TableName }))).Table;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  /** @returns nothing while point-in-time recovery is off */
  async windowOf(TableName: string): Promise<Window | undefined> {
    const { ContinuousBackupsDescription } = await this.#client.send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
      ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
    return earliest && latest && { earliest: earliest.getTime(), latest: latest.getTime() };
  }

  /** What AWS keeps for 35 days of a table that was deleted while its recovery was on; the latest. */
  async systemBackupOf(TableName: string): Promise<SystemBackup | undefined> {
    const { BackupSummaries = [] } = await this.#client.send(
      new ListBackupsCommand({ TableName, BackupType: 'SYSTEM' }),
    );
    return BackupSummaries.map(({ BackupArn: arn = '', BackupCreationDateTime: at }) => ({
      arn,
      deletedAt: at?.getTime() ?? 0,
    }))
      .sort((a, b) => a.deletedAt - b.deletedAt)
      .at(-1);
  }

  async restoreAt(SourceTableName: string, TargetTableName: string, at: number): Promise<void> {
    const RestoreDateTime = new Date(at);
    await begun(
      this.#client.send(
        new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }),
      ),
    );
  }

  async restoreFrom(BackupArn: string, TargetTableName: string): Promise<void> {
    await begun(this.#client.send(new RestoreTableFromBackupCommand({ BackupArn, TargetTableName })));
  }

  /**
   * One more of the settings that a restored table lacks. AWS makes one change at a time.
   *
   * @returns false if all were there
   */
  async complete(name: string, definition: TableDefinition, stage: string): Promise<boolean> {
    const { TableArn: ResourceArn = '', ...table } = (await this.find(name)) ?? {};
    const { stream, expires } = definition;
    if (stream && !table.StreamSpecification?.StreamEnabled) {
      const StreamSpecification = { StreamEnabled: true, StreamViewType: views[stream] };
      await this.#client.send(new UpdateTableCommand({ TableName: name, StreamSpecification }));
      return true;
    }
    if (!table.DeletionProtectionEnabled) {
      const change = { TableName: name, DeletionProtectionEnabled: true };
      await this.#client.send(new UpdateTableCommand(change));
      return true;
    }
    if (expires && !(await this.#isExpiring(name))) {
      const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
      await this.#client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
      return true;
    }
    const Tags = Object.entries({ service: 'omi', stage }).map(([Key, Value]) => ({ Key, Value }));
    await this.#client.send(new TagResourceCommand({ ResourceArn, Tags }));
    if (await this.windowOf(name)) return false;
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await this.#client.send(
      new UpdateContinuousBackupsCommand({ TableName: name, PointInTimeRecoverySpecification }),
    );
    return true;
  }

  async #isExpiring(TableName: string): Promise<boolean> {
    const { TimeToLiveDescription } = await this.#client.send(new DescribeTimeToLiveCommand({ TableName }));
    return ['ENABLED', 'ENABLING'].includes(TimeToLiveDescription?.TimeToLiveStatus ?? '');
  }

  /** From then on no Lambda of the stage reads or writes the table, whichever version it is. */
  async fence(ResourceArn: string, { partition, account, stage }: OperatorAccount): Promise<void> {
    const roles = `arn:${partition}:iam::${account}:role/omi-${stage}-*`;
    const statement = {
      Sid: 'ReplacedByARestoredTable',
      Effect: 'Deny',
      Principal: '*',
      Action: 'dynamodb:*',
      Resource: [ResourceArn, `${ResourceArn}/index/*`],
      Condition: { ArnLike: { 'aws:PrincipalArn': roles } },
    };
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await this.#client.send(new PutResourcePolicyCommand({ ResourceArn, Policy }));
  }
}
