import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { ownPlace } from './own-place.ts';
import { ReleaseAlarm } from './release-alarm.ts';
import type { ServiceFunction } from './service-function.ts';

export type RolloutProps = { pace: StageConfig['rollout']; stage: string };

const paces = {
  'all-at-once': LambdaDeploymentConfig.ALL_AT_ONCE,
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  unguarded: LambdaDeploymentConfig.ALL_AT_ONCE,
} satisfies Record<StageConfig['rollout'], ILambdaDeploymentConfig>;

/** Moves the calls of each Lambda of a stack to a new version, and rolls back automatically if the version fails. */
export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #granted: Grant;
  readonly #alarms: Alarm[] = [];
  readonly #props: RolloutProps;

  constructor(scope: Construct, id: string, props: RolloutProps) {
    super(scope, id);
    this.#props = props;
    this.#application = new LambdaApplication(this, 'Application');
    // AWS's managed policy would allow moving every alias of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    grant(this.#role, ['cloudwatch:DescribeAlarms'], ['*']);
    this.#granted = this.#letMove(props.stage);
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch has no resources for DescribeAlarms, which only reads.',
    });
  }

  /** In a canary rollout one for each Lambda's new version. */
  get alarms(): readonly Alarm[] {
    return this.#alarms;
  }

  add(lambda: ServiceFunction): void {
    const guards = this.#guard(lambda);
    this.#alarms.push(...guards);
    const group = new LambdaDeploymentGroup(this, lambda.name, {
      application: this.#application,
      alias: lambda.live,
      role: this.#role.withoutPolicyUpdates(),
      deploymentConfig: paces[this.#props.pace],
      alarms: guards,
      autoRollback: {
        failedDeployment: true,
        stoppedDeployment: true,
        deploymentInAlarm: guards.length > 0,
      },
    });
    // CodeDeploy needs its permissions and alarms before the alias changes.
    this.#granted.applyBefore(group);
    lambda.live.node.addDependency(group);
  }

  /** By the names of the stage's functions: a list of them would exceed the size of a role's policies. */
  #letMove(stage: string): Grant {
    const functions = Stack.of(this).formatArn({
      ...ownPlace,
      service: 'lambda',
      resource: 'function',
      resourceName: `omi-${stage}-*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    Validations.of(this.#role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:omi-${stage}-*]`,
      reason:
        "CodeDeploy moves the aliases of all functions of the stage, whose names begin with the stage's.",
    });
    return grant(this.#role, moving, [functions]);
  }

  /** If all calls move at once, no alarm can ring in time. */
  #guard(lambda: ServiceFunction): Alarm[] {
    const { pace, stage } = this.#props;
    return pace === 'canary'
      ? [new ReleaseAlarm(this, `${lambda.name}-release`, { lambda, stage }).alarm]
      : [];
  }
}

/** https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSCodeDeployRoleForLambdaLimited.html */
const moving = ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'];

const grant = (grantee: Role, actions: string[], resourceArns: string[]): Grant =>
  Grant.addToPrincipal({ grantee, actions, resourceArns });
