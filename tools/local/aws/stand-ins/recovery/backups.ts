import { AwsServiceError } from '../../protocols/errors.ts';
import { asArray, asObject, type JsonObject, strings } from '../../protocols/json.ts';
import type { Database } from './database.ts';
import { type Item, Journal } from './journal.ts';

/** What is left of a table that was deleted while its recovery was on. */
type SystemBackup = { table: JsonObject; items: readonly Item[]; arn: string; deletedAt: number };

type Restored = { target: string; source: JsonObject; items: readonly Item[]; time: number; backup?: string };

const seconds = (time: number): number => time / 1_000;

const refusal = (code: string, message: string): AwsServiceError => new AwsServiceError(400, code, message);

const alreadyExists = (table: string): AwsServiceError =>
  refusal('TableAlreadyExistsException', `Table already exists: ${table}`);

const nameIn = (input: JsonObject): string =>
  strings(input['SourceTableName'], strings(input['SourceTableArn'])[0]?.split('/')[1])[0] ?? '';

/** Point-in-time recovery, of tables for which it was turned on since the start; and system backups of deleted tables. */
export class Backups {
  readonly #database: Database;
  readonly #log: (line: string) => void;
  readonly #journals = new Map<string, Journal>();
  readonly #deleted: SystemBackup[] = [];
  readonly #summaries = new Map<string, JsonObject>();

  constructor(database: Database, log: (line: string) => void) {
    this.#database = database;
    this.#log = log;
  }

  /** Undefined while the recovery of the table is off. */
  journalOf(table: string): Journal | undefined {
    return this.#journals.get(table);
  }

  readonly operations: Record<string, (input: JsonObject) => Promise<JsonObject>> = {
    UpdateContinuousBackups: async ({ TableName, PointInTimeRecoverySpecification: wanted }) => {
      const table = String(TableName);
      const isOn = asObject(wanted)['PointInTimeRecoveryEnabled'] === true;
      if (!isOn) this.#journals.delete(table);
      else if (!this.#journals.has(table)) await this.#begin(table);
      return this.#describe(table);
    },
    DescribeContinuousBackups: async ({ TableName }) => {
      await this.#database.describe(String(TableName));
      return this.#describe(String(TableName));
    },
    RestoreTableToPointInTime: async (input) => {
      const name = nameIn(input);
      const source = await this.#database.describe(name).catch(() => undefined);
      if (!source) throw refusal('TableNotFoundException', `Table not found: ${name}`);
      const journal = this.#journals.get(name);
      if (!journal)
        throw refusal(
          'PointInTimeRecoveryUnavailableException',
          `Point in time recovery is not enabled for table '${name}'`,
        );
      const time = Number(input['RestoreDateTime']) * 1_000;
      if (!(time >= journal.begunAt && time <= Date.now()))
        throw refusal('InvalidRestoreTimeException', 'The specified restore time is not in the window');
      const target = String(input['TargetTableName']);
      return await this.#restore({ target, source, items: journal.itemsAt(time), time });
    },
    ListBackups: async ({ TableName }) =>
      await Promise.resolve({
        BackupSummaries: this.#deleted
          .filter(({ table }) => table['TableName'] === TableName)
          .map(({ table, arn, deletedAt }) => ({
            TableName,
            TableArn: table['TableArn'],
            BackupArn: arn,
            BackupName: `${String(TableName)}$DeletedTableBackup`,
            BackupType: 'SYSTEM',
            BackupStatus: 'AVAILABLE',
            BackupCreationDateTime: seconds(deletedAt),
          })),
      }),
    RestoreTableFromBackup: async ({ BackupArn, TargetTableName }) => {
      const backup = this.#deleted.find(({ arn }) => arn === BackupArn);
      if (!backup) throw refusal('BackupNotFoundException', `Backup not found: ${String(BackupArn)}`);
      const { table, items, arn, deletedAt } = backup;
      const target = String(TargetTableName);
      return await this.#restore({ target, source: table, items, time: deletedAt, backup: arn });
    },
    DeleteTable: async (input) => {
      const name = String(input['TableName']);
      const backup = this.#journals.has(name) ? await this.#last(name) : undefined;
      const answer = await this.#database.call('DeleteTable', input);
      if (backup) this.#deleted.push(backup);
      this.#journals.delete(name);
      this.#summaries.delete(name);
      return answer;
    },
    DescribeTable: async (input) => {
      const { Table } = await this.#database.call('DescribeTable', input);
      const RestoreSummary = this.#summaries.get(String(input['TableName']));
      const isFilling = RestoreSummary?.['RestoreInProgress'] === true;
      return {
        Table: {
          ...asObject(Table),
          ...(RestoreSummary && { RestoreSummary }),
          ...(isFilling && { TableStatus: 'CREATING' }),
        },
      };
    },
  };

  async #begin(table: string): Promise<void> {
    const { KeySchema } = await this.#database.describe(table);
    const names = asArray(KeySchema).map((key) => String(asObject(key)['AttributeName']));
    this.#journals.set(table, new Journal(names, await this.#database.scan(table)));
  }

  async #last(name: string): Promise<SystemBackup> {
    const table = await this.#database.describe(name);
    const items = await this.#database.scan(name);
    const deletedAt = Date.now();
    return { table, items, deletedAt, arn: `${String(table['TableArn'])}/backup/${deletedAt}` };
  }

  #describe(table: string): JsonObject {
    const journal = this.#journals.get(table);
    const PointInTimeRecoveryDescription = {
      PointInTimeRecoveryStatus: journal ? 'ENABLED' : 'DISABLED',
      ...(journal && {
        EarliestRestorableDateTime: seconds(journal.begunAt),
        LatestRestorableDateTime: seconds(Date.now()),
      }),
    };
    return {
      ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription },
    };
  }

  /** With indexes, and without stream, time to live and recovery, as AWS restores it. It is `CREATING` until it has its items. */
  async #restore({ target, source, items, time, backup }: Restored): Promise<JsonObject> {
    const indexes = asArray(source['GlobalSecondaryIndexes']).map((index) => {
      const { IndexName, KeySchema, Projection } = asObject(index);
      return { IndexName, KeySchema, Projection };
    });
    if (this.#summaries.has(target)) throw alreadyExists(target);
    const summary = {
      SourceTableArn: source['TableArn'],
      ...(backup !== undefined && { SourceBackupArn: backup }),
      RestoreDateTime: seconds(time),
    };
    // The table has it from the first moment.
    this.#summaries.set(target, { ...summary, RestoreInProgress: true });
    const { TableDescription } = await this.#database
      .call('CreateTable', {
        TableName: target,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: source['AttributeDefinitions'],
        KeySchema: source['KeySchema'],
        ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
      })
      .catch((error: unknown) => {
        this.#summaries.delete(target);
        if (error instanceof AwsServiceError && error.error.code === 'ResourceInUseException')
          throw alreadyExists(target);
        throw error;
      });
    void this.#database
      .fill(target, items)
      .catch((error: unknown) => this.#log(`dynamodb: ${target} could not be restored: ${String(error)}`))
      .then(() => this.#summaries.set(target, { ...summary, RestoreInProgress: false }));
    return { TableDescription: { ...asObject(TableDescription), TableStatus: 'CREATING' } };
  }
}
