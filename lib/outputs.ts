import { CfnOutput, type Stack } from 'aws-cdk-lib';

/** Outputs that people and the commands of `omi` read, by name. */
export function addOutputs(stack: Stack, outputs: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(outputs)) {
    if (value !== undefined) new CfnOutput(stack, name, { value });
  }
}
