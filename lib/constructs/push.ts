import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { PlatformApplication } from './platform-application.ts';
import { PushFeedback } from './push-feedback.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type PushProps = {
  stage: string;
  credentials: StageConfig['push'];
  code: LambdaCode;
  logs: LogSettings;
  removalPolicy: RemovalPolicy;
};

const platforms = [
  { key: 'fcm', platform: 'GCM', variable: 'FCM_APPLICATION_ARN' },
  { key: 'apns', platform: 'APNS', variable: 'APNS_APPLICATION_ARN' },
  { key: 'apnsSandbox', platform: 'APNS_SANDBOX', variable: 'APNS_SANDBOX_APPLICATION_ARN' },
] as const;

type Platform = (typeof platforms)[number];
/** What creates the applications. */
type Creation = { maker: ServiceFunction<'push-application'>; feedback: PushFeedback };
type Served = { application: PlatformApplication; variable: Platform['variable'] };

/** SNS mobile push for each platform whose credentials the stage names. A stage may have none. */
export class Push extends Construct {
  readonly #served: readonly Served[];
  #creation: Creation | undefined;

  constructor(scope: Construct, id: string, props: PushProps) {
    super(scope, id);
    this.#served = platforms.flatMap((platform) => this.#create(platform, props));
  }

  #create({ key, platform, variable }: Platform, props: PushProps): Served[] {
    const credentials = props.credentials[key];
    if (!credentials) return [];
    const creation = (this.#creation ??= this.#prepare(props));
    const { removalPolicy, logs, stage } = props;
    const application = new PlatformApplication(this, key, {
      ...{ platform, credentials, ...creation, removalPolicy, stage },
      logRetention: logs.retention,
    });
    return [{ application, variable }];
  }

  #prepare({ stage, code, logs }: PushProps): Creation {
    const maker = new ServiceFunction(this, {
      name: 'push-application',
      stage,
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    maker.allow(['sns:CreatePlatformApplication'], ['*']);
    Validations.of(maker).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'An application that does not exist yet has no ARN.',
    });
    const feedback = new PushFeedback(this, 'Feedback');
    feedback.grantPass(maker);
    return { maker, feedback };
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { push = [] } = factsOf(lambda.name);
    if (push.length === 0) return;
    for (const { application } of this.#served) application.grant(lambda, push);
  }

  get variables(): Partial<Record<Platform['variable'], string>> {
    return Object.fromEntries(this.#served.map(({ variable, application }) => [variable, application.arn]));
  }
}
