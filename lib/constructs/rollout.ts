import { ArnFormat, Duration, NestedStack, Stack, Validations } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { runbook } from '../alarms.ts';
import type { StageConfig } from '../config.ts';
import { ReleaseAlarm } from './release-alarm.ts';
import type { ServiceFunction } from './service-function.ts';

export type RolloutProps = { pace: StageConfig['rollout']; stage: string };

const paces = {
  'all-at-once': LambdaDeploymentConfig.ALL_AT_ONCE,
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  unguarded: LambdaDeploymentConfig.ALL_AT_ONCE,
} satisfies Record<StageConfig['rollout'], ILambdaDeploymentConfig>;

/** Moves the calls of each Lambda to a new version, and rolls back automatically if the version fails. */
export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #granted: Grant;
  /** A stack of its own, because CloudFormation takes 500 resources in a stack. */
  readonly #ofLambdas: NestedStack;
  readonly #alarms: Alarm[] = [];
  /** The deployment groups of Lambdas in nested stacks. */
  readonly #nested = new Map<Stack, Construct>();
  readonly #props: RolloutProps;

  constructor(scope: Construct, id: string, props: RolloutProps) {
    super(scope, id);
    this.#props = props;
    this.#application = new LambdaApplication(this, 'Application');
    this.#ofLambdas = new NestedStack(this, 'Alarms', { description: 'OMI: alarms of the Lambdas' });
    // AWS's managed policy would allow moving every alias of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    grant(this.#role, ['cloudwatch:DescribeAlarms'], ['*']);
    this.#granted = this.#letMove(props.stage);
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch has no resources for DescribeAlarms, which only reads.',
    });
  }

  /** One for each Lambda's errors and, in a canary rollout, one for its new version. */
  get alarms(): readonly Alarm[] {
    return this.#alarms;
  }

  add(lambda: ServiceFunction): void {
    const scopes = this.#scopesFor(lambda);
    const guards = this.#guard(lambda, scopes.alarms);
    this.#alarms.push(failing(scopes.alarms, lambda), ...guards);
    const group = new LambdaDeploymentGroup(scopes.groups, lambda.name, {
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
  #guard(lambda: ServiceFunction, scope: Construct): Alarm[] {
    const { pace, stage } = this.#props;
    return pace === 'canary'
      ? [new ReleaseAlarm(scope, `${lambda.name}-release`, { lambda, stage }).alarm]
      : [];
  }

  /**
   * A Lambda of a nested stack has its alarms and its deployment group there. Its alias depends on both, and they name the
   * function: in two stacks, each would depend on the other.
   */
  #scopesFor(lambda: ServiceFunction): { alarms: Construct; groups: Construct } {
    const within = Stack.of(lambda);
    if (within === Stack.of(this)) return { alarms: this.#ofLambdas, groups: this };
    const groups = this.#nested.get(within) ?? new Construct(within, 'Rollout');
    this.#nested.set(within, groups);
    return { alarms: within, groups };
  }
}

/** https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSCodeDeployRoleForLambdaLimited.html */
const moving = ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'];

const grant = (grantee: Role, actions: string[], resourceArns: string[]): Grant =>
  Grant.addToPrincipal({ grantee, actions, resourceArns });

/** Rings for any error of any version. No deployment depends on it. */
const failing = (scope: Construct, { name, live }: ServiceFunction): Alarm =>
  live.metricErrors({ period: Duration.minutes(1) }).createAlarm(scope, `${name}-fails`, {
    alarmDescription: runbook(`The Lambda ${name} fails.`, 'a-lambda-fails'),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
