import { setImmediate } from 'node:timers/promises';
import type { RecordedCall } from '../../tools/local/aws/endpoint/call-log.ts';
import { accessKeyIdOf } from '../../tools/local/lambda/runtime-environment.ts';
import type { LambdaName } from '../../lambdas/registered.ts';
import type { TestStack } from './stack.ts';
import { until } from './waiting.ts';

/** Beside the pushes, under the same address. */
const urlOf = ({ file }: TestStack): URL => new URL('/calls', file.pushesUrl);

/** The latest calls to the local AWS, oldest first: anyone's, or a Lambda's. */
export async function recordedCalls(stack: TestStack, lambda?: LambdaName): Promise<RecordedCall[]> {
  const url = urlOf(stack);
  if (lambda !== undefined) url.searchParams.set('caller', accessKeyIdOf(lambda));
  const response = await fetch(url);
  return (await response.json()) as RecordedCall[];
}

/** What a Lambda called: each has an access key of its own. */
export const callsOf = (lambda: LambdaName, calls: readonly RecordedCall[]): RecordedCall[] =>
  calls.filter(({ caller }) => caller === accessKeyIdOf(lambda));

/** Whether it was made with what STS handed out: the assumed role's policies are asked, and not those of who assumed it. */
export const isOfSession = ({ caller }: RecordedCall): boolean => caller.startsWith('ASIA');

/** The calls that were made while the work ran, without their repetitions by the SDK, and its result. */
export async function recording<Result>(
  stack: TestStack,
  work: () => Promise<Result>,
): Promise<{ result: Result; calls: RecordedCall[] }> {
  // Connections that the stack closed while this process was busy are noticed between two turns of the event loop.
  await setImmediate();
  await fetch(urlOf(stack), { method: 'DELETE' });
  const result = await work();
  return { result, calls: (await recordedCalls(stack)).filter(({ attempt }) => attempt === 1) };
}

/** Until the Lambda has called this; for what nobody can see from outside. */
export async function untilCalled(
  stack: TestStack,
  lambda: LambdaName,
  operation: string,
  resource?: string,
): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await recordedCalls(stack, lambda)).some(
      (call) => call.operation === operation && (resource === undefined || call.resources.includes(resource)),
    );
  await until(isThere, `${lambda} calls ${operation}`);
}
