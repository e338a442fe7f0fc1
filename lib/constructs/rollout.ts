import { Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, type IAlarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { runbook } from '../runbook.ts';
import type { ServiceFunction } from './service-function.ts';

export type RolloutProps = {
  pace: StageConfig['rollout'];
  /** What goes wrong beyond one Lambda while a new version takes over. */
  alarms: readonly IAlarm[];
};

const paces = {
  'all-at-once': LambdaDeploymentConfig.ALL_AT_ONCE,
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  unguarded: LambdaDeploymentConfig.ALL_AT_ONCE,
} satisfies Record<StageConfig['rollout'], ILambdaDeploymentConfig>;

/** Moves each Lambda's callers to a new version, and back by itself when that one fails. */
export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #alarms: Alarm[] = [];
  readonly #props: RolloutProps;

  constructor(scope: Construct, id: string, props: RolloutProps) {
    super(scope, id);
    this.#props = props;
    this.#application = new LambdaApplication(this, 'Application');
    // Not the policy that AWS writes: it may move every alias of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    grant(this.#role, ['cloudwatch:DescribeAlarms'], ['*']);
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch knows no resources for the description of alarms, which only reads.',
    });
  }

  /** One for each Lambda: it fails. */
  get alarms(): readonly Alarm[] {
    return this.#alarms;
  }

  add(lambda: ServiceFunction): void {
    const fails = failing(this, lambda);
    this.#alarms.push(fails);
    grant(this.#role, moving, [lambda.function.functionArn, lambda.live.functionArn]);
    const isGuarded = this.#props.pace !== 'unguarded';
    new LambdaDeploymentGroup(this, lambda.name, {
      application: this.#application,
      alias: lambda.live,
      role: this.#role.withoutPolicyUpdates(),
      deploymentConfig: paces[this.#props.pace],
      alarms: isGuarded ? [fails, ...this.#props.alarms] : [],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: isGuarded },
    });
  }
}

/** As in AWSCodeDeployRoleForLambdaLimited, https://docs.aws.amazon.com/aws-managed-policy/latest/reference/. */
const moving = ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'];

const grant = (grantee: Role, actions: string[], resourceArns: string[]): Grant =>
  Grant.addToPrincipal({ grantee, actions, resourceArns });

/** The authorizer fails by design: `Unauthorized` is how API Gateway makes 401 of a bad token. */
const tolerated = (name: string): number => (name === 'authorize' ? 50 : 0);

/** Only what calls the alias counts, and with it the version that it is being moved to. */
const failing = (scope: Construct, { name, live }: ServiceFunction): Alarm =>
  live.metricErrors({ period: Duration.minutes(1) }).createAlarm(scope, `${name}-fails`, {
    alarmDescription: runbook(
      `The Lambda ${name} fails; a deployment that is under way goes back.`,
      'a-lambda-fails',
    ),
    threshold: tolerated(name),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
