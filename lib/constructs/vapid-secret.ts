import { CfnDeletionPolicy, Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { published } from './published.ts';

export type VapidSecretProps = {
  /** Whether the key outlives the stack, as the devices do. */
  retain: boolean;
  /** Where the secret has a copy, if anywhere. */
  copyRegion: string | undefined;
};

/** The secret for the stage's VAPID key, without a value: CloudFormation cannot make a key, and one in the template would not be secret. */
export class VapidSecret extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { retain, copyRegion }: VapidSecretProps) {
    super(scope, id);
    const secret = new CfnSecret(this, 'Key', {
      description:
        'OMI: the VAPID key that signs web pushes. Do not replace it by hand: all web devices depend on it',
      ...(copyRegion !== undefined && { replicaRegions: [{ region: copyRegion }] }),
    });
    // An update that replaced the key would end the pushes to all web devices.
    secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    secret.cfnOptions.deletionPolicy = retain ? CfnDeletionPolicy.RETAIN : CfnDeletionPolicy.DELETE;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Browsers bind each subscription to this key. A rotation ends the pushes to web devices until their app was opened.',
    });
    this.arn = published(this, 'WebPushSecretArn', secret.ref);
  }
}
