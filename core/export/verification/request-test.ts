import type { LastTestStore } from '../targets/last-test-store.ts';
import type { Target } from '../targets/target.ts';
import type { VerificationQueue, VerificationRequest } from './verification-queue.ts';

export type TestRequestDeps = {
  queue: Pick<VerificationQueue, 'send'>;
  lastTests: Pick<LastTestStore, 'asked'>;
};

/**
 * Asks for one test of a target. The service repeats a test that fails by itself.
 *
 * @returns the target, whose record has the test; nothing if it does not exist
 */
export async function requestTest(
  { queue, lastTests }: TestRequestDeps,
  request: VerificationRequest,
  now: number,
): Promise<Target | undefined> {
  const id = await queue.send(request);
  const { event } = request;
  return await lastTests.asked(request, { id, requestedAt: now, ...(event && { event }) });
}
