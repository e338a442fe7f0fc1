import type { LastTestStore } from '../targets/last-test-store.ts';
import type { VerificationQueue, VerificationRequest } from './verification-queue.ts';

export type TestRequestDeps = {
  queue: Pick<VerificationQueue, 'send'>;
  lastTests: Pick<LastTestStore, 'asked'>;
};

/**
 * Asks for one test of a target. The service repeats a test that fails by itself.
 *
 * @returns the id of the test, which the target's record has from then on
 */
export async function requestTest(
  { queue, lastTests }: TestRequestDeps,
  request: VerificationRequest,
  now: number,
): Promise<string> {
  const id = await queue.send(request);
  await lastTests.asked(request, { id, requestedAt: now });
  return id;
}
