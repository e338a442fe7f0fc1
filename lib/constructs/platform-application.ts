import { ArnFormat, CustomResource, Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Grant } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ownPlace } from './own-place.ts';
import type { PushFeedback } from './push-feedback.ts';
import type { ServiceFunction } from './service-function.ts';

export type PlatformApplicationProps = {
  /** SNS's name of the platform. */
  platform: 'GCM' | 'APNS' | 'APNS_SANDBOX';
  credentials: { secretName: string; revision: string };
  stage: string;
  /** Creates the application. No other Lambda can read the credentials. */
  maker: ServiceFunction<'push-application'>;
  /** Logs the pushes that the provider rejects. */
  feedback: PushFeedback;
  logRetention: RetentionDays;
  removalPolicy: RemovalPolicy;
};

/**
 * An SNS platform application. A Lambda creates it, because CloudFormation has no resource type for it:
 * https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/148
 */
export class PlatformApplication extends Construct {
  /** A reference that resolves when the application exists. */
  readonly arn: string;
  readonly #name: string;
  readonly #endpoints: string;

  constructor(scope: Construct, id: string, props: PlatformApplicationProps) {
    super(scope, id);
    const { platform, credentials, maker, feedback, logRetention, removalPolicy, stage } = props;
    this.#name = `${platform}/omi-${stage}`;
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
    for (const grant of this.#grantCreation(props, applicationArn)) grant.applyBefore(resource);
    this.arn = resource.ref;
  }

  #grantCreation({ maker, credentials }: PlatformApplicationProps, applicationArn: string): Grant[] {
    // Secrets Manager appends six characters to the name in each ARN.
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
   * AWS does not document whether SNS checks a call on an endpoint against the endpoint or its application, so both are
   * granted. A call that creates an endpoint can only be checked against the application.
   */
  grant(lambda: ServiceFunction, actions: readonly string[]): void {
    for (const action of actions) {
      const isCreation = action === 'CreatePlatformEndpoint';
      lambda.allow([`sns:${action}`], isCreation ? [this.arn] : [this.arn, this.#endpoints]);
    }
    Validations.of(lambda).acknowledge({
      // cdk-nag writes an ARN of a stack without an account in this form.
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:endpoint/${this.#name}/*]`,
      reason:
        'Endpoints are created at run time, one for each push token, under the name of this application.',
    });
  }

  #formatArn(service: string, resource: string, resourceName: string): string {
    const arnFormat = service === 'sns' ? ArnFormat.SLASH_RESOURCE_NAME : ArnFormat.COLON_RESOURCE_NAME;
    return Stack.of(this).formatArn({ ...ownPlace, service, resource, resourceName, arnFormat });
  }
}
