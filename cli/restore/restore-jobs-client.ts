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

const isEnded = (status: string): boolean => ['COMPLETED', 'FAILED', 'ABORTED'].includes(status);

/** Jobs of AWS Backup that make tables of copies. */
export class RestoreJobs {
  readonly #client: BackupClient;
  readonly #role: string;

  constructor(client: BackupClient, role: string) {
    this.#client = client;
    this.#role = role;
  }

  /**
   * The same job if it was started before, by a command that was killed or by another one. One that has ended is followed by another,
   * as its table failed, or was deleted since.
   *
   * @param isThere whether the table exists
   * @returns undefined if a job has made the table meanwhile
   */
  async start(
    { arn }: Copy,
    tableName: string,
    isThere: () => Promise<boolean>,
  ): Promise<string | undefined> {
    const ended = await this.#ended(arn);
    if (await isThere()) return undefined;
    const { RestoreJobId = '' } = await this.#client.send(
      new StartRestoreJobCommand({
        ...{ RecoveryPointArn: arn, IamRoleArn: this.#role, ResourceType: 'DynamoDB' },
        // AWS's own key, as the tables of a stage have it by default.
        Metadata: { targetTableName: tableName, encryptionType: 'KMS', kmsMasterKeyArn: 'Not Applicable' },
        IdempotencyToken: `${tableName}-${ended}`,
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

  async #ended(arn: string): Promise<number> {
    let ended = 0;
    const pages = paginateListRestoreJobs({ client: this.#client }, { ByResourceType: 'DynamoDB' });
    for await (const { RestoreJobs = [] } of pages)
      ended += RestoreJobs.filter(
        ({ RecoveryPointArn, Status }) => RecoveryPointArn === arn && Status !== undefined && isEnded(Status),
      ).length;
    return ended;
  }
}
