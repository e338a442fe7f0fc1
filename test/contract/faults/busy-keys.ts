import { expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { localKeys } from '../../../tools/local/resources/kms-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { newUser, startEnrolment } from '../scenario.ts';

export function busyKeys(stack: TestStack): void {
  test.each(['throttle', 'disabled'] as const)(
    '(%s) prevents an enrolment without a receipt and keeps the code usable',
    async (fault) => {
      const userId = newUser();
      const { qr } = await startEnrolment(stack.website, userId);
      const device = new SimulatedDevice();
      const signing = { service: 'kms', operation: 'Sign', resource: localKeys.receipts, fault } as const;
      await withFault(stack.file, signing, async () => {
        const answer = await device.enrol(qr);
        expectProblem(answer, 503, 'temporarily-unavailable');
        expect(answer.headers.get('retry-after')).toBe('2');
      });
      expect(succeeded(await stack.website.listDevices(userId), 200).devices).toEqual([]);
      expect(succeeded(await device.enrol(qr), 201).receipt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    },
  );
}
