import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/**
 * Lets SNS log the pushes that a provider rejects. SNS answers `Publish` before it calls the provider
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-msg-status.html).
 */
export class PushFeedback extends Construct {
  readonly #role: Role;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // AWS documents no condition on the source here. Passing the role to SNS requires `iam:PassRole`.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('sns.amazonaws.com') });
  }

  get roleArn(): string {
    return this.#role.roleArn;
  }

  /** Lets the Lambda pass the role to SNS and to no other service. */
  grantPass(lambda: ServiceFunction): void {
    lambda.allow(['iam:PassRole'], [this.roleArn], {
      StringEquals: { 'iam:PassedToService': 'sns.amazonaws.com' },
    });
  }

  /**
   * Creates the log group of an application's failures under the name that SNS uses. SNS would create one without a retention
   * period. It is deleted with the stack, because it contains push tokens and a new stack needs the name.
   *
   * @param application `<platform>/<name>`
   */
  log(application: string, retention: RetentionDays): void {
    const { region, account } = Stack.of(this);
    const group = new LogGroup(this, application.replaceAll('/', '-'), {
      logGroupName: `sns/${region}/${account}/app/${application}/Failure`,
      retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Grant.addToPrincipal({
      grantee: this.#role,
      // As AWS documents: https://docs.aws.amazon.com/sns/latest/dg/topics-attrib-prereq.html.
      actions: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
      resourceArns: [group.logGroupArn],
    });
  }
}
