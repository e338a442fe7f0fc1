import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';
import { jsonOn, omiOn } from '../omi.ts';

export function trace(stack: TestStack): void {
  test('a refused call of the local stack is found in the log of its Lambdas', async () => {
    const refused = await stack.website.getConfirmation('no-such-nonce-00000000');
    if (refused.ok) throw new Error('There is no such confirmation');
    const { traceId = '' } = refused.body;
    await until(async () => (await stack.log()).includes(traceId));
    // It may begin with a hyphen.
    expect(await jsonOn(stack)('trace', '--', traceId)).toEqual([
      expect.objectContaining({ message: 'refused', outcome: 'confirmation-not-found', traceId }),
    ]);
    const unknown = await omiOn(stack)(['trace', 'never-seen=']);
    expect(unknown).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing of never-seen=') as unknown,
    });
    expect(await omiOn(stack)(['trace', '" or 1=1'])).toMatchObject({ code: 2 });
  });
}
