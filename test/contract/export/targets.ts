/**
 * What tenants have in their AWS accounts, on a running stack. With the operator's register (`register.ts`):
 *
 *     const account = new TenantAccount(stack.file);
 *     const destination = await account.makeStream();
 *     const register = new Register(stack.file);
 *     await register.activate({ tenantId, category: 'public' }, destination);
 *     await account.denyWriting(destination);
 *     … events are recorded …
 *     await register.reaches({ tenantId, category: 'public' }, 'parked');
 *     await account.restorePermissions(destination);
 *
 * Everything goes through SDK clients against the endpoints of `stack.json`; IAM's is that of STS. Only the demo and
 * the neighbour have clients to record events with, so a test replaces their targets, on a stack that no other file uses meanwhile.
 */
import { randomInt, randomUUID } from 'node:crypto';
import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  type IAMClient,
  PutRolePolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { DeleteStreamCommand, KinesisClient, waitUntilStreamNotExists } from '@aws-sdk/client-kinesis';
import {
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { type BucketTarget, makeBucketTarget } from '../../../tools/local/seed/bucket-target.ts';
import { ensureRole, iamOf, rolePolicyName, roleNameOf } from '../../../tools/local/seed/role.ts';
import {
  makeStreamTarget,
  type StreamTarget,
  writerPolicies,
} from '../../../tools/local/seed/stream-target.ts';

/** An AWS account of a tenant, with streams, roles and buckets in it. */
export class TenantAccount {
  /** Twelve digits. */
  readonly account: string;
  readonly #aws: StackFile['aws'];

  /** @param account one that is there, or a new one */
  constructor({ aws }: Pick<StackFile, 'aws'>, account = String(randomInt(1e11, 1e12))) {
    this.account = account;
    this.#aws = aws;
  }

  /** A stream, ready to be written to, and a role with the published policies, under names that nobody has. */
  async makeStream(target: Partial<StreamTarget> = {}): Promise<StreamDestination> {
    return await makeStreamTarget(this.#aws, {
      account: this.account,
      streamName: `events-${randomUUID()}`,
      externalId: randomUUID(),
      ...target,
    });
  }

  /** A bucket, and the operator's delivery role for the tenant. Several targets may share a bucket: name it. */
  async makeBucket(ref: TargetRef, target: Partial<BucketTarget> = {}): Promise<BucketDestination> {
    const { account } = this;
    const fresh = { account, bucket: `events-${randomUUID()}`, keyId: randomUUID() };
    return await makeBucketTarget(this.#aws, { ...fresh, ...target, ...ref });
  }

  /** Another trust policy for the stream's role, as IAM takes it. */
  async changeTrust({ roleArn }: StreamDestination, document: object): Promise<void> {
    const change = { RoleName: roleNameOf(roleArn), PolicyDocument: JSON.stringify(document) };
    await this.#iam(async (iam) => await iam.send(new UpdateAssumeRolePolicyCommand(change)));
  }

  /** Another permission policy for the stream's role. Sessions that exist feel it, too. */
  async changePermissions({ roleArn }: Pick<StreamDestination, 'roleArn'>, document: object): Promise<void> {
    const change = { RoleName: roleNameOf(roleArn), PolicyName: rolePolicyName };
    const PolicyDocument = JSON.stringify(document);
    await this.#iam(async (iam) => await iam.send(new PutRolePolicyCommand({ ...change, PolicyDocument })));
  }

  /** The role may be assumed, and writes nothing. */
  async denyWriting(destination: StreamDestination): Promise<void> {
    const Statement = [{ Effect: 'Deny', Action: 'kinesis:PutRecords', Resource: '*' }];
    await this.changePermissions(destination, { Version: '2012-10-17', Statement });
  }

  /** The published permission policy again. */
  async restorePermissions(destination: StreamDestination): Promise<void> {
    await this.changePermissions(destination, writerPolicies(destination).permissionPolicy);
  }

  /** Sessions that exist are of no use any more, as on AWS, also when the role is made anew. */
  async deleteRole({ roleArn }: StreamDestination): Promise<void> {
    const RoleName = roleNameOf(roleArn);
    await this.#iam(async (iam) => {
      await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName: rolePolicyName }));
      await iam.send(new DeleteRoleCommand({ RoleName }));
    });
  }

  /** The stream's role under its old name, after a deletion: another role to AWS. */
  async makeRole(destination: StreamDestination): Promise<void> {
    const name = roleNameOf(destination.roleArn);
    await ensureRole(this.#aws, this.account, { name, ...writerPolicies(destination) });
  }

  /** Resolves when it is gone; `makeStream({ streamName, externalId, roleName })` makes it anew. */
  async deleteStream({ streamArn: StreamARN }: StreamDestination): Promise<void> {
    await using(new KinesisClient(accessAs(this.account, this.#aws, 'kinesis')), async (client) => {
      await client.send(new DeleteStreamCommand({ StreamARN }));
      await waitUntilStreamNotExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { StreamARN });
    });
  }

  /** With everything in it. */
  async deleteBucket({ bucket: Bucket }: BucketDestination): Promise<void> {
    const settings = { ...accessAs(this.account, this.#aws, 's3'), forcePathStyle: true };
    await using(new S3Client(settings), async (client) => {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }));
      }
      await client.send(new DeleteBucketCommand({ Bucket }));
    });
  }

  async #iam(work: (iam: IAMClient) => Promise<unknown>): Promise<void> {
    await using(iamOf(this.account, this.#aws), work);
  }
}
