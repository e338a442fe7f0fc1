import type { Call } from '../../local/aws/calls.ts';
import { accessKeyIdOf } from '../../local/lambda/runtime-environment.ts';
import type { LambdaName } from '../../lambdas/environments.ts';
import type { TestStack } from './stack.ts';

/** Beside the pushes, under the same address. */
const urlOf = ({ file }: TestStack): URL => new URL('/calls', file.pushesUrl);

/** The latest calls that anyone made to the local AWS, oldest first. */
export async function recordedCalls(stack: TestStack): Promise<Call[]> {
  const response = await fetch(urlOf(stack));
  return (await response.json()) as Call[];
}

/** What a Lambda called: each has an access key of its own. */
export const callsOf = (lambda: LambdaName, calls: readonly Call[]): Call[] =>
  calls.filter(({ caller }) => caller === accessKeyIdOf(lambda));

/** The calls that were made while the work ran, and its result. */
export async function recording<Result>(
  stack: TestStack,
  work: () => Promise<Result>,
): Promise<{ result: Result; calls: Call[] }> {
  await fetch(urlOf(stack), { method: 'DELETE' });
  return { result: await work(), calls: await recordedCalls(stack) };
}
