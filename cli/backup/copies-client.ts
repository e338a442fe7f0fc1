import { type BackupClient, paginateListRecoveryPointsByBackupVault } from '@aws-sdk/client-backup';

/** A copy of one table at a moment, in milliseconds since 1970. */
export type Copy = { arn: string; table: string; at: number };

/** A vault of AWS Backup with copies of tables from another region. */
export class CopiesVault {
  readonly #client: BackupClient;
  readonly #vault: string;

  constructor(client: BackupClient, vault: string) {
    this.#client = client;
    this.#vault = vault;
  }

  /** The last copy of each table until a moment, by the table's name. */
  async last(until: number): Promise<ReadonlyMap<string, Copy>> {
    const found = new Map<string, Copy>();
    for await (const copy of this.#all())
      if (copy.at <= until && copy.at > (found.get(copy.table)?.at ?? 0)) found.set(copy.table, copy);
    return found;
  }

  async *#all(): AsyncGenerator<Copy> {
    const pages = paginateListRecoveryPointsByBackupVault(
      { client: this.#client },
      { BackupVaultName: this.#vault, ByResourceType: 'DynamoDB' },
    );
    for await (const { RecoveryPoints = [] } of pages)
      for (const { RecoveryPointArn: arn, ResourceArn = '', CreationDate, Status } of RecoveryPoints)
        if (arn !== undefined && CreationDate && Status === 'COMPLETED')
          yield { arn, table: ResourceArn.split('/')[1] ?? '', at: CreationDate.getTime() };
  }
}
