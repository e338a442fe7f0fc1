/** The package passes the conformance suite for devices, against the misbehaving service and a running one. */
import { test } from '@jest/globals';
import { conformance, expectConformance, onStack } from '../device/conformance/run-conformance.ts';
import type { TestStack } from '../../support/stack.ts';
import type { CompiledPackage } from './kotlin.ts';
import { longestProgramMs } from '../../support/waiting.ts';

export function passesConformance(stack: TestStack, compiled: () => CompiledPackage): void {
  test(
    'passes every check but those of passkeys, which the platform has',
    async () => {
      const [args, env] = await onStack(stack);
      const driver = compiled().command('omi.device.Conformance');
      expectConformance(await conformance(['--driver', driver, '--report', 'json', ...args], env), [
        'passkey',
      ]);
    },
    longestProgramMs,
  );
}
