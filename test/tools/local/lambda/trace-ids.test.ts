import { expect, test } from '@jest/globals';
import { useSharedStack } from '../../../support/use-stack.ts';

const stack = useSharedStack();

test("the traceId of a refusal finds the line of its Lambda in the local stack's log", async () => {
  const { body } = await stack.website.getConfirmation('no-such-nonce-of-this-suite');
  const { traceId, code } = body as unknown as { traceId: string; code: string };
  expect(code).toBe('confirmation-not-found');
  const lines = (await stack.log()).split('\n').filter((line) => line.includes(traceId));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ message: 'refused', outcome: code, status: 404, traceId }),
  ]);
});
