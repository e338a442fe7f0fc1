import { ArnFormat, CustomResource, Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Grant } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { PushFeedback } from './push-feedback.ts';
import type { ServiceFunction } from './service-function.ts';

export type PlatformApplicationProps = {
  /** SNS's name of it. */
  platform: 'GCM' | 'APNS' | 'APNS_SANDBOX';
  credentials: { secretName: string; revision: string };
  /** Creates it, with credentials that nobody else reads. */
  maker: ServiceFunction<'push-application'>;
  /** Has what the provider refuses written down. */
  feedback: PushFeedback;
  logRetention: RetentionDays;
  removalPolicy: RemovalPolicy;
};

/**
 * One SNS platform application. CloudFormation has no resource type for it (cloudformation-coverage-roadmap,
 * number 148), so a Lambda of ours makes it.
 */
export class PlatformApplication extends Construct {
  /** Waits for the application to exist. */
  readonly arn: string;
  readonly #name: string;
  readonly #endpoints: string;

  constructor(scope: Construct, id: string, props: PlatformApplicationProps) {
    super(scope, id);
    const { platform, credentials, maker, feedback, logRetention, removalPolicy } = props;
    this.#name = `${platform}/${Stack.of(this).stackName}`;
    const applicationArn = this.#formatArn('sns', 'app', this.#name);
    this.#endpoints = this.#formatArn('sns', 'endpoint', `${this.#name}/*`);

    feedback.log(this.#name, logRetention);
    const resource = new CustomResource(this, 'Application', {
      resourceType: 'Custom::PlatformApplication',
      serviceToken: maker.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      removalPolicy,
      properties: { applicationArn, platform, failureFeedbackRoleArn: feedback.roleArn, ...credentials },
    });
    for (const grant of this.#grantMaking(props, applicationArn)) grant.applyBefore(resource);
    this.arn = resource.ref;
  }

  #grantMaking({ maker, credentials }: PlatformApplicationProps, applicationArn: string): Grant[] {
    // Secrets Manager ends each ARN with six characters of its own.
    const secretArn = this.#formatArn('secretsmanager', 'secret', `${credentials.secretName}-??????`);
    return [
      maker.allow(['secretsmanager:GetSecretValue'], [secretArn]),
      maker.allow(
        ['sns:SetPlatformApplicationAttributes', 'sns:DeletePlatformApplication'],
        [applicationArn],
      ),
    ];
  }

  /**
   * AWS writes nowhere whether SNS checks a call on an endpoint against the endpoint or its application; refusals that
   * people quote name the application. One that is yet to be made can only be checked against the application.
   */
  grant(lambda: ServiceFunction, actions: readonly string[]): void {
    for (const action of actions) {
      const isMaking = action === 'CreatePlatformEndpoint';
      lambda.allow([`sns:${action}`], isMaking ? [this.arn] : [this.arn, this.#endpoints]);
    }
    Validations.of(lambda).acknowledge({
      // As cdk-nag writes an ARN of a stack that is bound to no account.
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:endpoint/${this.#name}/*]`,
      reason: 'Endpoints are made at run time, one for each push token, under the name of this application.',
    });
  }

  #formatArn(service: string, resource: string, resourceName: string): string {
    const arnFormat = service === 'sns' ? ArnFormat.SLASH_RESOURCE_NAME : ArnFormat.COLON_RESOURCE_NAME;
    return Stack.of(this).formatArn({ service, resource, resourceName, arnFormat });
  }
}
