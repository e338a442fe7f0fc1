import { Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * A name in CloudFront that belongs to one life of the stack. CloudFront's names are unique in an account, and policies outlive
 * the stack with the distribution that uses them. The next stack of the same name must not find its names taken.
 */
export function nameOf(scope: Construct, what: string): string {
  const stack = Stack.of(scope);
  // The name of a nested stack is made by CloudFormation, and too long.
  const { stackName } = stack.nestedStackParent ?? stack;
  const { stackId } = stack;
  // …:stack/<name>/<UUID>
  return `${stackName}-${what}-${Fn.select(2, Fn.split('/', stackId))}`;
}
