import { setTimeout } from 'node:timers/promises';
import {
  type BackupClient,
  DescribeRestoreJobCommand,
  paginateListRestoreJobs,
  StartRestoreJobCommand,
} from '@aws-sdk/client-backup';
import { CommandError } from '../command-error.ts';
import type { Copy } from '../backup/copies-client.ts';
import { firstPauseMs, longestPauseMs } from './carry-out.ts';

/** Jobs of AWS Backup that make tables of copies. */
export class RestoreJobs {
  readonly #client: BackupClient;
  readonly #role: string;

  constructor(client: BackupClient, role: string) {
    this.#client = client;
    this.#role = role;
  }

  /** The same job if it was started before, by a command that was killed or by another one. A failed job is followed by another. */
  async start({ arn }: Copy, tableName: string): Promise<string> {
    const failed = await this.#failed(arn);
    const { RestoreJobId = '' } = await this.#client.send(
      new StartRestoreJobCommand({
        ...{ RecoveryPointArn: arn, IamRoleArn: this.#role, ResourceType: 'DynamoDB' },
        // AWS's own key, as the tables of a stage have it by default.
        Metadata: { targetTableName: tableName, encryptionType: 'KMS', kmsMasterKeyArn: 'Not Applicable' },
        IdempotencyToken: `${tableName}-${failed}`,
      }),
    );
    return RestoreJobId;
  }

  /** Resolves as soon as the job is done. @throws {CommandError} if it fails */
  async untilMade(RestoreJobId: string, tableName: string): Promise<void> {
    for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, 1.5 * pause)) {
      const command = new DescribeRestoreJobCommand({ RestoreJobId });
      const { Status, StatusMessage = Status } = await this.#client.send(command);
      if (Status === 'COMPLETED') return;
      if (Status === 'FAILED' || Status === 'ABORTED')
        throw new CommandError(
          `AWS Backup could not restore ${tableName}: ${StatusMessage}`,
          'Delete the table, if it is there, and run the command again. It begins another job.',
        );
      await setTimeout(pause);
    }
  }

  async #failed(arn: string): Promise<number> {
    let failed = 0;
    const pages = paginateListRestoreJobs({ client: this.#client }, { ByResourceType: 'DynamoDB' });
    for await (const { RestoreJobs = [] } of pages)
      failed += RestoreJobs.filter(
        ({ RecoveryPointArn, Status }) =>
          RecoveryPointArn === arn && (Status === 'FAILED' || Status === 'ABORTED'),
      ).length;
    return failed;
  }
}
