/** The simulated phone (`npm run phone`) passes the suite. */
import { test } from '@jest/globals';
import { useSharedStack } from '../../../support/use-stack.ts';
import { conformance, expectConformance, onStack } from './run-conformance.ts';
import { longestProgramMs } from '../../../support/waiting.ts';

const stack = useSharedStack();

test(
  'the simulated phone passes every check but those of passkeys, which it does not have',
  async () => {
    const [args, env] = await onStack(stack);
    const driver = `${process.execPath} test/packages/device/conformance/simulated-phone-driver.ts`;
    expectConformance(await conformance(['--driver', driver, '--report', 'json', ...args], env), ['passkey']);
  },
  longestProgramMs,
);
