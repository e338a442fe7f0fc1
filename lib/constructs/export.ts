import { ArnFormat, Aws, Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { deliveryActions } from '../../core/export/kinds/bucket/bucket-policies.ts';
import {
  deliveryBoundaryNameOf,
  deliveryRolePathOf,
  smokePrefixOf,
} from '../../core/export/kinds/policies/operator-roles.ts';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import { ownPlace } from './own-place.ts';
import type { ServiceFunction } from './service-function.ts';

export type ExportProps = { stage: StageConfig['stage'] };

/** Access to what tenants own: their roles, and the delivery streams to their buckets. */
export class Export extends Construct {
  readonly #stage: StageConfig['stage'];

  constructor(scope: Construct, id: string, { stage }: ExportProps) {
    super(scope, id);
    this.#stage = stage;
    this.#limitDeliveryRoles();
  }

  /**
   * The permissions boundary of the tenants' delivery roles. A role never has more than this, whatever its own policies say.
   * It needs no other protection from deletion: IAM deletes no boundary in use. It is not retained, because CloudFormation knows a
   * policy by its ARN and could not adopt it by its name.
   */
  #limitDeliveryRoles(): void {
    const boundary = new ManagedPolicy(this, 'DeliveryBoundary', {
      managedPolicyName: deliveryBoundaryNameOf({ stage: this.#stage, region: Aws.REGION }),
      description: "The most that a tenant's delivery role may do: write into a bucket, with its key.",
      statements: [new PolicyStatement({ actions: deliveryActions, resources: ['*'] })],
    });
    Validations.of(boundary).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'A boundary grants nothing. The policy of each role names the bucket and key that it may use.',
    });
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { tenantRoles, deliveryRoles, deliveryStreams, passesDeliveryRoles, readsMetrics } = factsOf(
      lambda.name,
    );
    if (tenantRoles) this.#letAssume(lambda, tenantRoles);
    if (tenantRoles) this.#denyOwnRoles(lambda, deliveryRoles === true);
    if (passesDeliveryRoles) this.#letPassDeliveryRoles(lambda);
    if (deliveryStreams) this.#grantDeliveryStreams(lambda, deliveryStreams);
    if (readsMetrics) letReadMetrics(lambda);
  }

  #letAssume(lambda: ServiceFunction, how: 'by-external-id' | 'also-without'): void {
    const resource = Stack.of(this).formatArn({
      ...ownPlace,
      service: 'iam',
      region: '',
      account: '*',
      resource: 'role',
      resourceName: '*',
    });
    // The condition keeps the Lambda from roles that ask for no external id: somebody else may have named them.
    const hasExternalId = { Null: { 'sts:ExternalId': 'false' } };
    lambda.allow(['sts:AssumeRole'], [resource], how === 'by-external-id' ? hasExternalId : undefined);
    Validations.of(lambda).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:iam::*:role/*]',
      reason:
        "Tenants create and name the roles in their accounts. Their trust policies decide, by this role's ARN and the tenant's external id.",
    });
  }

  /**
   * A tenant names the roles that these Lambdas assume. None of the operator's own may be among them, whatever it trusts, but
   * those of `omi smoke` and, for the test of buckets, the delivery roles.
   */
  #denyOwnRoles(lambda: ServiceFunction, alsoDelivers: boolean): void {
    const ownRole = (name: string): string => `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role${name}`;
    const except = [
      ownRole(`/${smokePrefixOf(this.#stage)}*`),
      ...(alsoDelivers ? [ownRole(`${deliveryRolePathOf(this.#stage)}*`)] : []),
    ];
    lambda.deny('sts:AssumeRole', except, { StringEquals: { 'aws:ResourceAccount': Aws.ACCOUNT_ID } });
  }

  #letPassDeliveryRoles(lambda: ServiceFunction): void {
    const roles = `role${deliveryRolePathOf(this.#stage)}*`;
    lambda.allow(['iam:PassRole'], [`arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:${roles}`], {
      StringEquals: { 'iam:PassedToService': 'firehose.amazonaws.com' },
    });
    Validations.of(lambda).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:${roles}]`,
      reason:
        'Each tenant has its own delivery role, created with its target. All of them have this path and the boundary.',
    });
  }

  #grantDeliveryStreams(lambda: ServiceFunction, actions: readonly string[]): void {
    const resourceName = `omi-${this.#stage}-*`;
    const streams = Stack.of(this).formatArn({
      ...ownPlace,
      service: 'firehose',
      resource: 'deliverystream',
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    lambda.allow(
      actions.map((action) => `firehose:${action}`),
      [streams],
    );
    Validations.of(lambda).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:firehose:<AWS::Region>:<AWS::AccountId>:deliverystream/${resourceName}]`,
      reason:
        "Delivery streams are created at run time, one for each target. Their names begin with the stage's name.",
    });
  }
}

function letReadMetrics(lambda: ServiceFunction): void {
  lambda.allow(['cloudwatch:GetMetricData'], ['*']);
  Validations.of(lambda).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'CloudWatch has no resources for GetMetricData, which only reads.',
  });
}
