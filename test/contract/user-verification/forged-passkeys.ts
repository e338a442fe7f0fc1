import { test } from '@jest/globals';
import { scan } from '#device';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { authenticatorOf, tryToEnrol } from './scene.ts';

export function forgedPasskeys(stack: TestStack): void {
  test("is rejected with the passkey of another enrolment's code, and its own code stays usable", async () => {
    const authenticator = authenticatorOf(stack);
    const elsewhere = authenticator.create('another-code');
    const { device, qr, answer } = await tryToEnrol(stack.website, authenticator, {}, () => elsewhere);
    expectProblem(answer, 422, 'user-verification-failed');
    const passkey = authenticator.create(scan(qr).code);
    succeeded(await device.enrol(qr, { claims: { passkey } }), 201);
  });
}
