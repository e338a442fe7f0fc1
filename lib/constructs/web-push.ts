import { CfnDeletionPolicy, CustomResource, Duration, Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type WebPushProps = {
  stage: string;
  config: StageConfig['webPush'];
  /** The default contact: an address of the stage. */
  url: string;
  code: LambdaCode;
  logs: LogSettings;
  /** Whether the key outlives the stack, as the devices do. */
  retain: boolean;
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
    const secret = this.#createSecret(props.retain);
    this.#secretArn = secret.ref;
    this.publicKey = this.#createKey(secret, props);
  }

  /** Without a value: CloudFormation cannot make a key, and a value in the template would not be a secret. */
  #createSecret(retain: boolean): CfnSecret {
    const secret = new CfnSecret(this, 'Key', {
      description:
        'OMI: the VAPID key that signs web pushes. Do not replace it: all web devices depend on it',
    });
    // An update that replaced the key would end the pushes to all web devices.
    secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    secret.cfnOptions.deletionPolicy = retain ? CfnDeletionPolicy.RETAIN : CfnDeletionPolicy.DELETE;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Browsers bind each subscription to this key. A rotation would end the pushes to all web devices.',
    });
    return secret;
  }

  /** A Lambda makes the key, so that nobody else has ever seen it. */
  #createKey(secret: CfnSecret, { stage, code, logs }: WebPushProps): string {
    const maker = new ServiceFunction(this, {
      name: 'web-push-key',
      stage,
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    const grant = maker.allow(
      ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      [secret.ref],
    );
    const resource = new CustomResource(this, 'PublicKey', {
      resourceType: 'Custom::WebPushKey',
      serviceToken: maker.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      properties: { secretArn: secret.ref },
    });
    grant.applyBefore(resource);
    return resource.getAttString('publicKey');
  }

  /** Grants the Lambda what its `access.ts` states. */
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
