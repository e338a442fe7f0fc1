import { DescribeDeliveryStreamCommand, ResourceNotFoundException } from '@aws-sdk/client-firehose';
import {
  CreateRoleCommand,
  DeleteRolePolicyCommand,
  EntityAlreadyExistsException,
  type IAMClient,
  NoSuchEntityException,
  paginateListRolePolicies,
  PutRolePolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam';
import type { BucketDestination } from '../../core/export/kinds/bucket/record.ts';
import type { Category } from '../../core/events/target-ref.ts';
import {
  deliveryPolicy,
  type DeliveryRole,
  deliveryRoleOf,
  deliveryTrustPolicy,
  errorLogPolicy,
} from '../../core/export/kinds/policies/operator-roles.ts';
import { type OperatorAccount, operatorOf } from '../deployment/account-client.ts';
import type { Deployment } from '../deployment/deployment.ts';

type Bucket = Pick<BucketDestination, 'bucket' | 'kmsKeyArn' | 'bucketOwner'>;

const logPolicy = 'log-errors';
const prefixOf = (category: Category): string => `write-${category}-`;
const policyNameOf = (category: Category, bucket: string): string => `${prefixOf(category)}${bucket}`;

/** The role by which Firehose writes into a tenant's buckets. Each tenant has its own. */
class DeliveryRoleClient {
  readonly #client: IAMClient;
  readonly #operator: OperatorAccount;
  readonly #tenantId: string;
  readonly #role: DeliveryRole;

  constructor(client: IAMClient, operator: OperatorAccount, tenantId: string) {
    this.#client = client;
    this.#operator = operator;
    this.#tenantId = tenantId;
    this.#role = deliveryRoleOf(operator, tenantId);
  }

  get arn(): string {
    return this.#role.arn;
  }

  /** Creates the role unless it exists, and sets its trust policy and what it may do for every bucket. */
  async ensure(): Promise<void> {
    const { path, name } = this.#role;
    const trust = JSON.stringify(deliveryTrustPolicy(this.#operator));
    try {
      await this.#client.send(
        new CreateRoleCommand({
          Path: path,
          RoleName: name,
          AssumeRolePolicyDocument: trust,
          PermissionsBoundary: this.#operator.boundaryArn,
          Description: `OMI: writes the events of tenant ${this.#tenantId} into its bucket`,
          Tags: [
            { Key: 'service', Value: 'omi' },
            { Key: 'tenant', Value: this.#tenantId },
          ],
        }),
      );
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsException)) throw error;
      await this.#client.send(new UpdateAssumeRolePolicyCommand({ RoleName: name, PolicyDocument: trust }));
    }
    const PolicyDocument = JSON.stringify(errorLogPolicy(this.#operator));
    await this.#client.send(
      new PutRolePolicyCommand({ RoleName: name, PolicyName: logPolicy, PolicyDocument }),
    );
  }

  /** Allows writing into a bucket, but only in its owner's account. */
  async allow(category: Category, bucket: Bucket): Promise<void> {
    const { partition } = this.#operator;
    await this.#client.send(
      new PutRolePolicyCommand({
        RoleName: this.#role.name,
        PolicyName: policyNameOf(category, bucket.bucket),
        PolicyDocument: JSON.stringify(deliveryPolicy({ ...bucket, partition })),
      }),
    );
  }

  /**
   * Revokes the permissions for a category, except those for one bucket. A role that may write nowhere has nothing to log.
   *
   * @returns from how many buckets permissions were taken
   */
  async revokeOthers(category: Category, bucket?: string): Promise<number> {
    const kept = bucket === undefined ? undefined : policyNameOf(category, bucket);
    const policies = await this.#policies();
    const others = policies.filter((policy) => policy.startsWith(prefixOf(category)) && policy !== kept);
    const left = policies.filter((policy) => !others.includes(policy));
    const useless = left.every((policy) => policy === logPolicy) ? left : [];
    for (const PolicyName of [...others, ...useless])
      await this.#client.send(new DeleteRolePolicyCommand({ RoleName: this.#role.name, PolicyName }));
    return others.length;
  }

  async #policies(): Promise<string[]> {
    const found: string[] = [];
    const pages = paginateListRolePolicies({ client: this.#client }, { RoleName: this.#role.name });
    try {
      for await (const { PolicyNames = [] } of pages) found.push(...PolicyNames);
    } catch (error) {
      if (!(error instanceof NoSuchEntityException)) throw error;
    }
    return found;
  }
}

export const deliveryRoleFor = async (
  deployment: Deployment,
  tenantId: string,
): Promise<DeliveryRoleClient> =>
  new DeliveryRoleClient(deployment.clients.iam, await operatorOf(deployment), tenantId);

export async function deliveryStreamExists(
  { clients }: Deployment,
  DeliveryStreamName: string,
): Promise<boolean> {
  try {
    await clients.firehose.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
