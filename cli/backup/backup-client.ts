import {
  GetBucketEncryptionCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetPublicAccessBlockCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Option } from 'commander';
import * as v from 'valibot';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { prefixOf } from '../deployment/deployment.ts';
import { checkedOption } from '../options.ts';

/** A bucket, and what its keys begin with: empty, or with a slash at the end. */
export type BackupPlace = { bucket: string; prefix: string };

const place = v.pipe(
  v.string(),
  v.regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()/-]{0,512})?$/),
  v.transform((text): BackupPlace => {
    const { host: bucket, pathname } = new URL(text);
    const prefix = pathname.replace(/^\//, '').replace(/\/*$/, '/');
    return { bucket, prefix: prefix === '/' ? '' : prefix };
  }),
);

export const placeOption = (flags: string, description: string): Option =>
  checkedOption(flags, description, place, {
    expected: 'a bucket, with or without a prefix',
    example: 's3://example-omi-backups/omi',
  });

/** What was wrong, and the way out. */
type Advice = [what: string, hint: string];

/** The operator's bucket, in which each backup of a stage is a version of one object. */
export class BackupBucket {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #key: string;

  constructor(client: S3Client, { bucket, prefix }: BackupPlace, { stage, region }: Deployment) {
    this.#client = client;
    this.#bucket = bucket;
    this.#key = `${prefix}${prefixOf({ stage })}-${region}.json`;
  }

  get url(): string {
    return `s3://${this.#bucket}/${this.#key}`;
  }

  /** @throws {CommandError} if the bucket may show a backup to others, or loses those before */
  async require(): Promise<void> {
    const Bucket = this.#bucket;
    const faults: [fault: string, fix: string][] = [];
    const { Status } = await this.#send(this.#client.send(new GetBucketVersioningCommand({ Bucket })));
    if (Status !== 'Enabled')
      faults.push([
        'it keeps no versions',
        `put-bucket-versioning --bucket ${Bucket} --versioning-configuration Status=Enabled`,
      ]);
    const encryption = await this.#found(this.#client.send(new GetBucketEncryptionCommand({ Bucket })));
    if (!encryption?.ServerSideEncryptionConfiguration?.Rules?.length)
      faults.push([
        'it does not encrypt',
        `put-bucket-encryption --bucket ${Bucket} --server-side-encryption-configuration '{"Rules":[{"ApplyServerSideEncryptionByDefault":{"SSEAlgorithm":"aws:kms"}}]}'`,
      ]);
    const block = await this.#found(this.#client.send(new GetPublicAccessBlockCommand({ Bucket })));
    const { BlockPublicAcls, IgnorePublicAcls, BlockPublicPolicy, RestrictPublicBuckets } =
      block?.PublicAccessBlockConfiguration ?? {};
    if (!BlockPublicAcls || !IgnorePublicAcls || !BlockPublicPolicy || !RestrictPublicBuckets)
      faults.push([
        'it may become public',
        `put-public-access-block --bucket ${Bucket} --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true`,
      ]);
    if (faults.length === 0) return;
    const what = faults.map(([fault]) => fault).join(', ');
    throw new CommandError(
      `The bucket ${Bucket} is not safe for a backup, which contains a private key: ${what}. Nothing was written.`,
      faults.map(([, fix]) => `aws s3api ${fix}`).join('\n'),
    );
  }

  /** @returns the version, if the bucket has any */
  async write(text: string): Promise<string | undefined> {
    const { VersionId } = await this.#send(
      this.#client.send(
        new PutObjectCommand({
          ...{ Bucket: this.#bucket, Key: this.#key, Body: text, ContentType: 'application/json' },
        }),
      ),
    );
    return VersionId;
  }

  /** @param VersionId default: the latest */
  async read(VersionId?: string): Promise<string> {
    const request = { Bucket: this.#bucket, Key: this.#key, ...(VersionId !== undefined && { VersionId }) };
    const list = `aws s3api list-object-versions --bucket ${this.#bucket} --prefix ${this.#key}`;
    const noVersion: Advice = [
      `There is no such version of the backup ${this.url}.`,
      `These are there: ${list}`,
    ];
    const { Body } = await this.#send(this.#client.send(new GetObjectCommand(request)), {
      NoSuchKey: [
        `There is no backup ${this.url}.`,
        `"omi backup" makes one. Use the place, the stage and the region with which it was made. If it was deleted, pass --backup with an older version: ${list}`,
      ],
      NoSuchVersion: noVersion,
      InvalidArgument: noVersion,
      // The version is the mark of a deletion.
      MethodNotAllowed: noVersion,
    });
    return (await Body?.transformToString()) ?? '';
  }

  /** @param more advice about the errors of this call, by S3's names */
  async #send<Answer>(sending: Promise<Answer>, more: Record<string, Advice> = {}): Promise<Answer> {
    const advice: Record<string, Advice> = {
      NoSuchBucket: [
        `There is no bucket ${this.#bucket}.`,
        `Is the name right? If it was never made: aws s3 mb s3://${this.#bucket}`,
      ],
      AccessDenied: [
        `AWS refuses access to ${this.url}.`,
        'These credentials, the policy of the bucket and that of its key must allow it: "omi backup" reads settings of the bucket and puts an object, "omi restore" gets it and lists the bucket.',
      ],
      ...more,
    };
    return await sending.catch((cause: unknown) => {
      const [what, hint] = advice[cause instanceof Error ? cause.name : ''] ?? [];
      throw what === undefined ? cause : new CommandError(what, hint, { cause });
    });
  }

  /** S3 has an error of its own for each setting that a bucket does not have. */
  async #found<Answer>(sending: Promise<Answer>): Promise<Answer | undefined> {
    return await this.#send(sending).catch((error: unknown) => {
      if (
        error instanceof Error &&
        ['ServerSideEncryptionConfigurationNotFoundError', 'NoSuchPublicAccessBlockConfiguration'].includes(
          error.name,
        )
      )
        return undefined;
      throw error;
    });
  }
}
