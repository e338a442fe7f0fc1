import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Publishes a value as an output of its stack, whoever reads it. The CDK would add an output when another stack begins to use the
 * value, so the data's stack would change with the others.
 *
 * @returns a reference for the other stacks, which have to be deployed after this one
 */
export function published(scope: Construct, name: string, value: string): string {
  const stack = Stack.of(scope);
  new CfnOutput(stack, name, { value });
  return Fn.getStackOutput(stack.stackName, name);
}

/**
 * Publishes a value, and exports it: CloudFormation refuses an update without the value as long as a stack imports it, before
 * anything has changed.
 */
export function exported(scope: Construct, name: string, value: string): { weak: string; imported: string } {
  const stack = Stack.of(scope);
  const exportName = `${stack.stackName}-${name}`;
  new CfnOutput(stack, name, { value, exportName });
  return { weak: Fn.getStackOutput(stack.stackName, name), imported: Fn.importValue(exportName) };
}

/** The first part of the names of a resource's outputs, such as `Devices` of `DevicesTable`. */
export const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
