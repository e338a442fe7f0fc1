/** What a tenant does in its own AWS account, with the policies that it was given. */
import {
  CreateRoleCommand,
  EntityAlreadyExistsException,
  IAMClient,
  PutRolePolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam';
import {
  CreateStreamCommand,
  KinesisClient,
  ResourceInUseException,
  waitUntilStreamExists,
} from '@aws-sdk/client-kinesis';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { TestStack } from '../support/stack.ts';
import { placeOf } from './commands/tables.ts';

export type StreamPolicies = { trustPolicy: object; permissionPolicy: object };

/** The local stack takes an account's number for an access key of that account. */
export class TenantAccount {
  readonly #stack: TestStack;
  readonly #account: string;

  constructor(stack: TestStack, account: string) {
    this.#stack = stack;
    this.#account = account;
  }

  streamArn(name: string): string {
    return `arn:aws:kinesis:${this.#stack.file.aws.region}:${this.#account}:stream/${name}`;
  }

  async createStream(name: string): Promise<void> {
    const client = new KinesisClient(this.#access('kinesis'));
    try {
      await client.send(new CreateStreamCommand({ StreamName: name, ShardCount: 1 }));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilStreamExists({ client, maxWaitTime: 20, minDelay: 1 }, { StreamName: name });
  }

  /** @returns its ARN */
  async createRole(RoleName: string, { trustPolicy, permissionPolicy }: StreamPolicies): Promise<string> {
    const iam = new IAMClient(this.#access('sts'));
    const AssumeRolePolicyDocument = JSON.stringify(trustPolicy);
    try {
      await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }));
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsException)) throw error;
      await this.setTrust(RoleName, trustPolicy);
    }
    const PolicyDocument = JSON.stringify(permissionPolicy);
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'write', PolicyDocument }));
    return `arn:aws:iam::${this.#account}:role/${RoleName}`;
  }

  async setTrust(RoleName: string, policy: object): Promise<void> {
    const PolicyDocument = JSON.stringify(policy);
    await new IAMClient(this.#access('sts')).send(
      new UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument }),
    );
  }

  async createBucket(Bucket: string): Promise<void> {
    await this.#s3().send(new CreateBucketCommand({ Bucket }));
  }

  async textOf(Bucket: string, Key: string): Promise<string> {
    const { Body } = await this.#s3().send(new GetObjectCommand({ Bucket, Key }));
    return ((await Body?.transformToString()) ?? '').trim();
  }

  #s3(): S3Client {
    return new S3Client({ ...placeOf(this.#stack, 's3'), forcePathStyle: true });
  }

  #access(service: string) {
    const credentials = { accessKeyId: this.#account, secretAccessKey: 'any' };
    return { ...placeOf(this.#stack, service), credentials };
  }
}
