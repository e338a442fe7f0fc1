import { expect, test } from '@jest/globals';
import { challengeIdOf, messageHashOf } from '../../../tools/client/digests.ts';

test('challenge and message are identified by their hashes', () => {
  expect(challengeIdOf('t', 'n')).toBe('sugOqVxmioKObC1CcktFPVuIi87spBWVG48WJzduack');
  expect(messageHashOf('é')).toBe('SplVfkAzw1Od4utlRyAXytX5VX96BiWgnxw_biumnEw');
});
