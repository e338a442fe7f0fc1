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
import type { BucketDestination } from '../../core/export/targets/target.ts';
import type { Category } from '../../core/events/target-ref.ts';
import {
  deliveryPolicy,
  type DeliveryRole,
  deliveryTrustPolicy,
} from '../../core/export/verification/tenant-policies/operator-roles.ts';

/** The operator's account, and the most that a delivery role may ever do in it. */
export type Operator = { stage: string; account: string; partition: string; boundaryArn: string };

type Bucket = Pick<BucketDestination, 'bucket' | 'kmsKeyArn' | 'bucketOwner'>;

const prefixOf = (category: Category): string => `write-${category}-`;
const policyNameOf = (category: Category, bucket: string): string => `${prefixOf(category)}${bucket}`;

/** The roles by which Firehose writes into buckets: one a tenant, so that none reaches another's. */
export class DeliveryRoleClient {
  readonly #client: IAMClient;
  readonly #operator: Operator;

  constructor(client: IAMClient, operator: Operator) {
    this.#client = client;
    this.#operator = operator;
  }

  /** Makes the role unless it is there, and sets whom it trusts. */
  async ensure({ path, name }: DeliveryRole, tenantId: string): Promise<void> {
    const trust = JSON.stringify(deliveryTrustPolicy(this.#operator));
    try {
      await this.#client.send(
        new CreateRoleCommand({
          Path: path,
          RoleName: name,
          AssumeRolePolicyDocument: trust,
          PermissionsBoundary: this.#operator.boundaryArn,
          Description: `OMI: writes the events of tenant ${tenantId} into its bucket`,
          Tags: [
            { Key: 'service', Value: 'omi' },
            { Key: 'tenant', Value: tenantId },
          ],
        }),
      );
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsException)) throw error;
      await this.#client.send(new UpdateAssumeRolePolicyCommand({ RoleName: name, PolicyDocument: trust }));
    }
  }

  /** Lets the role write into a bucket while it is in its owner's account. */
  async allow({ name }: DeliveryRole, category: Category, bucket: Bucket): Promise<void> {
    const { partition } = this.#operator;
    const document = deliveryPolicy({ ...bucket, partition });
    await this.#client.send(
      new PutRolePolicyCommand({
        RoleName: name,
        PolicyName: policyNameOf(category, bucket.bucket),
        PolicyDocument: JSON.stringify(document),
      }),
    );
  }

  /** Takes back what the role may do for a category, in all buckets but this. @returns how many those were */
  async forbidOthers({ name }: DeliveryRole, category: Category, bucket?: string): Promise<number> {
    const kept = bucket === undefined ? undefined : policyNameOf(category, bucket);
    const others = (await this.#policies(name)).filter(
      (policy) => policy.startsWith(prefixOf(category)) && policy !== kept,
    );
    for (const PolicyName of others)
      await this.#client.send(new DeleteRolePolicyCommand({ RoleName: name, PolicyName }));
    return others.length;
  }

  async #policies(RoleName: string): Promise<string[]> {
    const found: string[] = [];
    try {
      for await (const { PolicyNames = [] } of paginateListRolePolicies(
        { client: this.#client },
        { RoleName },
      ))
        found.push(...PolicyNames);
    } catch (error) {
      if (!(error instanceof NoSuchEntityException)) throw error;
    }
    return found;
  }
}
