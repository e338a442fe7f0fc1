/** Devices in Kotlin against the service, with evidence that the website verifies. */
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { verifyEvidence } from '#website';
import { bodyOf } from '../../../client/http.ts';
import { newPushToken } from '../../../client/device/simulated-device.ts';
import { eventually } from '../../support/waiting.ts';
import { expectStatus, newUser, notification, startEnrolment } from '../../contract/scenario.ts';
import { trustIn } from '../../support/service-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import type { CompiledPackage, KotlinProgram } from './kotlin.ts';

type Identity = { deviceId: string; tenantId: string; userId: string; baseUrl: string };
type Asked = { challengeId: string; message: string; matchNumbers?: string[] };

export function worksWithTheService(
  stack: TestStack,
  program: () => KotlinProgram,
  compiled: () => CompiledPackage,
): void {
  let devices = 0;

  async function enrol(website = stack.website, more: object = {}) {
    const { qr } = await startEnrolment(website, newUser());
    const device = `phone-${(devices += 1)}`;
    const pushToken = newPushToken();
    const { pem } = await program().result<{ pem: string }>('key', { key: device });
    const description = { name: 'Phone', platform: 'fcm', pushToken, model: 'X', ...more };
    const identity = await program().result<Identity>('enrol', { device, key: device, qr, description });
    return { device, pushToken, identity, pem, qr, website };
  }

  type Enrolled = Awaited<ReturnType<typeof enrol>>;

  /** The website asks; the device sees it. */
  async function ask({ device, identity, website }: Enrolled) {
    const sent = notification({ message: 'Pay 12.50 € to Café Zoë 👩🏽‍🍳?' });
    const { matchCode = '' } = bodyOf(await website.sendToDevice(identity.userId, identity.deviceId, sent));
    const [challenge] = await program().result<Asked[]>('challenges', { device });
    expect(challenge?.message).toBe(sent.message);
    return { sent, challenge, matchCode };
  }

  test('a code is previewed before it is used', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    const preview = await program().result<{ tenant: string }>('preview', { qr });
    expect(preview).toMatchObject({ userVerification: 'off', expiresAt: expect.any(String) });
    expect(await program().result('preview', { qr })).toEqual(preview);
    expect(await program().codeOf('preview', { qr: `${qr}x` })).toBe('enrolment-not-found');
  });

  describe('an answer has evidence', () => {
    test.each([
      [{ decision: 'confirm' }, 'confirmed', undefined],
      [{ decision: 'deny' }, 'denied', 'user_declined'],
      [{ decision: 'deny', reason: 'not_me' }, 'denied', 'not_me'],
    ])('%j', async (answer, status, reason) => {
      const enrolled = await enrol();
      const { sent, challenge } = await ask(enrolled);
      const given = { device: enrolled.device, challenge, answer };
      expect(await program().result('answer', given)).toBe(status);
      const decided = await expectStatus(stack.website, sent.nonce, status as 'confirmed', reason);
      const { tenantId, userId } = enrolled.identity;
      const asked = { ...sent, ...(await trustIn(stack.file)), tenantId, userId };
      expect(await verifyEvidence(decided, asked)).toMatchObject({ decision: answer.decision });
      await expect(verifyEvidence(decided, { ...asked, message: 'Pay 1 €?' })).rejects.toThrow();
      expect(
        await program().codeOf('answer', { ...given, answer: { decision: 'confirm', number: '1' } }),
      ).toBe('already-decided');
    });
  });

  test('a kept identity and key give the same device', async () => {
    const enrolled = await enrol();
    await program().result('key', { key: 'kept', pem: enrolled.pem });
    const { identity } = enrolled;
    await program().result('open', { device: 'kept', key: 'kept', identity });
    const { challenge } = await ask({ ...enrolled, device: 'kept' });
    const given = { device: 'kept', challenge, answer: { decision: 'confirm' } };
    expect(await program().result('answer', given)).toBe('confirmed');
  });

  test("the README's example enrols and confirms", async () => {
    const userId = newUser();
    const { qr } = await startEnrolment(stack.website, userId);
    const child = compiled().start('ExampleKt', qr);
    const exited = once(child, 'close');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const says = async (words: string) =>
      await eventually(words, async () => await Promise.resolve(output.includes(words) || undefined));
    try {
      await says('Enrolled as');
      const asked = notification();
      bodyOf(await stack.website.sendToUser(userId, asked));
      await says(`${asked.message}\nconfirmed\n`);
      await expectStatus(stack.website, asked.nonce, 'confirmed');
    } finally {
      child.kill();
      await exited;
    }
  });
}
