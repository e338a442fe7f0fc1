import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';
import type { VapidSecret } from './vapid-secret.ts';

export type WebPushProps = {
  stage: string;
  config: StageConfig['webPush'];
  /** The default contact: an address of the stage. */
  url: string;
  code: LambdaCode;
  logs: LogSettings;
  /** Has the key. */
  secret: VapidSecret;
};

/** Web push: the stage's VAPID key, and the hosts to which pushes may go. */
export class WebPush extends Construct {
  /** Every subscription is bound to it. */
  readonly publicKey: string;
  readonly #hosts: readonly string[];
  readonly #contact: string;
  readonly #secretArn: string;

  constructor(scope: Construct, id: string, props: WebPushProps) {
    super(scope, id);
    this.#hosts = props.config.allowedHosts;
    this.#contact = props.config.contact ?? props.url;
    this.#secretArn = props.secret.arn;
    this.publicKey = this.#createKey(props);
  }

  /** A Lambda makes the key, so that nobody else has ever seen it. */
  #createKey({ stage, config, code, logs }: WebPushProps): string {
    const maker = new ServiceFunction(this, {
      name: 'web-push-key',
      stage,
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    const grant = maker.allow(
      ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      [this.#secretArn],
    );
    const resource = new CustomResource(this, 'PublicKey', {
      resourceType: 'Custom::WebPushKey',
      serviceToken: maker.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      properties: { secretArn: this.#secretArn, revision: config.keyRevision },
    });
    grant.applyBefore(resource);
    return resource.getAttString('publicKey');
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { webPush: actions } = factsOf(lambda.name).secrets ?? {};
    if (!actions) return;
    lambda.allow(
      actions.map((action) => `secretsmanager:${action}`),
      [this.#secretArn],
    );
  }

  get variables() {
    return {
      WEB_PUSH_PUBLIC_KEY: this.publicKey,
      WEB_PUSH_SECRET_ARN: this.#secretArn,
      WEB_PUSH_CONTACT: this.#contact,
      ...(this.#hosts.length > 0 && { WEB_PUSH_HOSTS: this.#hosts.join(',') }),
    };
  }
}
