import { Aws, BootstraplessSynthesizer, CfnOutput, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';

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
  /** What the tenant hands to the operator, by name: description and value. */
  protected addOutputs(outputs: Record<string, [description: string, value: string]>): void {
    // In a scope of their own, because some have the names of parameters.
    const scope = new Construct(this, 'Outputs');
    const all = { ...outputs, Region: ['Where all of it is.', Aws.REGION] } as const;
    for (const [name, [description, value]] of Object.entries(all))
      new CfnOutput(scope, name, { description, value }).overrideLogicalId(name);
  }
}
