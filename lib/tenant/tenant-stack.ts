import { BootstraplessSynthesizer, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** A template that anyone deploys as it is: without the CDK, in an account that was not prepared for it. */
export class TenantStack extends Stack {
  constructor(scope: Construct, id: string, description: string) {
    super(scope, id, {
      description,
      analyticsReporting: false,
      // Refuses assets. The cast: the class declares `string | undefined` where its interface has an optional member.
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    this.templateOptions.templateFormatVersion = '2010-09-09';
  }
}
