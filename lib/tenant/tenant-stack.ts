import { Aws, BootstraplessSynthesizer, CfnOutput, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';

/** A template that can be deployed without the CDK, in an account that was not prepared for it. */
export class TenantStack extends Stack {
  constructor(scope: Construct, id: string, description: string) {
    super(scope, id, {
      description,
      analyticsReporting: false,
      // Rejects assets. The cast is needed because the class and its interface differ in an optional member.
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    this.templateOptions.templateFormatVersion = '2010-09-09';
  }
  /** Adds what the tenant sends to the operator: description and value by name. */
  protected addOutputs(outputs: Record<string, [description: string, value: string]>): void {
    // They need their own scope, because some have the names of parameters.
    const scope = new Construct(this, 'Outputs');
    const all = { ...outputs, Region: ['The region of these resources.', Aws.REGION] } as const;
    for (const [name, [description, value]] of Object.entries(all))
      new CfnOutput(scope, name, { description, value }).overrideLogicalId(name);
  }
}
