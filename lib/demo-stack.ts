import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { DemoSite } from './constructs/demo-site.ts';
import type { LambdaCode } from './lambda-code.ts';

export type DemoStackProps = StackProps & { config: StageConfig; code: LambdaCode };

const open = 'Everyone who knows its address can sign in as a demo user, without a password.';

/**
 * The demo bank of a stage. It knows the service only by the secret that `omi demo connect` writes, so the two stacks can be
 * deployed, changed and deleted in any order.
 */
export class DemoStack extends Stack {
  constructor(scope: Construct, id: string, { config, code, ...props }: DemoStackProps) {
    super(scope, id, { stackName: id, ...props });
    const { stage, logRetentionDays } = config;
    const logs = { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY };
    const site = new DemoSite(this, 'Site', { stage, code, logs });
    new CfnOutput(this, 'DemoUrl', { value: site.url, description: `The demo bank. ${open}` });
    new CfnOutput(this, 'DemoSecret', {
      value: site.secretArn,
      description: 'The credentials of the demo bank, which "omi demo connect" writes',
    });
    Annotations.of(this).addWarningV2(
      'omi:demo',
      `${id} is a demo bank on the Internet. ${open} Its users exist only in a tenant of its own. "cdk destroy ${id}" removes it.`,
    );
    Tags.of(this).add('service', 'omi');
    Tags.of(this).add('stage', stage);
  }
}
