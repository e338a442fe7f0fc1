import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';

/** What the tenant hands to the operator, by name: description and value. */
export function addOutputs(
  stack: Stack,
  outputs: Record<string, [description: string, value: string]>,
): void {
  // Beside the parameters, of which some have the same names.
  const scope = new Construct(stack, 'Outputs');
  const all = { ...outputs, Region: ['Where all of it is.', Aws.REGION] } as const;
  for (const [name, [description, value]] of Object.entries(all))
    new CfnOutput(scope, name, { description, value }).overrideLogicalId(name);
}
