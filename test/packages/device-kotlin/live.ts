/** Devices in Kotlin against the service, with evidence that the website verifies. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Omi, verifyEvidence } from '#website';
import { scan } from '#device';
import { bodyOf } from '../../../tools/client/http.ts';
import { newPushToken } from '../../../tools/client/device/simulated-device.ts';
import { WebsiteClient } from '../../../tools/client/website-client.ts';
import { eventually } from '../../support/waiting.ts';
import { jsonOn } from '../../cli/omi.ts';
import { authenticatorOf } from '../../contract/user-verification/scene.ts';
import {
  expectStatus,
  newUser,
  notification,
  poll,
  pushesTo,
  startEnrolment,
} from '../../contract/scenario.ts';
import { trustIn } from '../../support/service-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import type { CompiledPackage, KotlinProgram } from './kotlin.ts';

type Identity = { deviceId: string; tenantId: string; userId: string; baseUrl: string };
type Asked = { challengeId: string; message: string; matchNumbers?: string[] };
type Tenant = { tenantId: string; website: WebsiteClient };

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

  async function openShop(...settings: string[]): Promise<Tenant> {
    const json = jsonOn(stack);
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Shop', ...settings);
    const made = await json<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', tenantId, '--name', 'shop', '--scope', 'all'],
    );
    return { tenantId, website: new WebsiteClient({ ...stack.file, ...made }) };
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

    test('to a question with details', async () => {
      const enrolled = await enrol();
      const { userId } = enrolled.identity;
      const { baseUrl, tokenUrl, tenants } = stack.file;
      const omi = new Omi({ baseUrl, tokenUrl, ...tenants[0] });
      const details = [{ type: 'payment', amount: '12.50', payee: 'Café Zoë' }];
      const answered = omi.confirm({ userId, message: 'Pay?', details, expiresIn: 60 });
      const challenge = await eventually(
        'The challenge',
        async () => (await program().result<Asked[]>('challenges', { device: enrolled.device }))[0],
      );
      const given = { device: enrolled.device, challenge, answer: { decision: 'confirm' } };
      expect(await program().result('answer', given)).toBe('confirmed');
      expect(await answered).toMatchObject({ status: 'confirmed' });
    });
  });

  describe('number matching', () => {
    let pick: Tenant;
    let type: Tenant;
    beforeAll(async () => {
      [pick, type] = [
        await openShop('--number-matching', 'pick'),
        await openShop('--number-matching', 'type'),
      ];
    });

    test('confirms by the number that was picked', async () => {
      const enrolled = await enrol(pick.website);
      const { sent, challenge, matchCode } = await ask(enrolled);
      expect(challenge?.matchNumbers).toContain(matchCode);
      const answer = { decision: 'confirm', number: matchCode };
      await program().result('answer', { device: enrolled.device, challenge, answer });
      await expectStatus(pick.website, sent.nonce, 'confirmed');
    });

    test('asks for the number that must be typed', async () => {
      const enrolled = await enrol(type.website);
      const { sent, challenge, matchCode } = await ask(enrolled);
      expect(challenge).not.toHaveProperty('matchNumbers');
      const given = { device: enrolled.device, challenge };
      const without = { ...given, answer: { decision: 'confirm' } };
      expect((await program().run('answer', without)).error).toMatchObject({
        code: 'number-required',
        status: 422,
      });
      const typed = { ...given, answer: { decision: 'confirm', number: matchCode } };
      expect(await program().result('answer', typed)).toBe('confirmed');
      await expectStatus(type.website, sent.nonce, 'confirmed');
    });

    test('ends by a wrong number', async () => {
      const enrolled = await enrol(pick.website);
      const { sent, challenge, matchCode } = await ask(enrolled);
      const number = challenge?.matchNumbers?.find((one) => one !== matchCode);
      const given = { device: enrolled.device, challenge, answer: { decision: 'confirm', number } };
      expect((await program().run('answer', given)).error).toMatchObject({
        code: 'wrong-number',
        status: 422,
      });
      expect((await poll(pick.website, sent.nonce)).status).not.toBe('confirmed');
    });
  });

  test('a passkey is enrolled, and confirms', async () => {
    const shop = await openShop('--user-verification', 'required');
    const authenticator = authenticatorOf(stack);
    const { qr } = await startEnrolment(shop.website, newUser());
    const description = { name: 'Phone', platform: 'fcm', pushToken: newPushToken() };
    const given = { device: 'verified', key: 'verified', qr };
    await program().result('key', { key: 'verified' });
    expect(await program().codeOf('enrol', { ...given, description })).toBe('user-verification-required');
    const passkey = authenticator.create(scan(qr).code);
    const identity = await program().result<Identity>('enrol', {
      ...given,
      description: { ...description, passkey },
    });
    const enrolled = { device: 'verified', identity, website: shop.website, pushToken: '', pem: '', qr };
    const { sent, challenge } = await ask(enrolled);
    const userVerification = authenticator.assert(challenge as never, 'confirm');
    const answer = { decision: 'confirm', userVerification };
    await program().result('answer', { device: 'verified', challenge, answer });
    expect(await poll(shop.website, sent.nonce)).toMatchObject({ status: 'confirmed', userVerified: true });
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

  test('a clock that is an hour behind has no effect', async () => {
    const enrolled = await enrol();
    const { device, identity } = enrolled;
    await program().result('open', { device, key: device, identity, now: Date.now() - 3_600_000 });
    const { challenge } = await ask(enrolled);
    const given = { device, challenge, answer: { decision: 'confirm' } };
    expect(await program().result('answer', given)).toBe('confirmed');
  });

  test('a new push token is used', async () => {
    const enrolled = await enrol();
    const pushToken = newPushToken();
    await program().result('refreshPushToken', { device: enrolled.device, address: { pushToken } });
    await ask(enrolled);
    expect(await pushesTo(stack, pushToken)).toHaveLength(1);
    expect(await pushesTo(stack, enrolled.pushToken)).toEqual([]);
  });

  test('a used code, and a removed device, are refused', async () => {
    const { device, identity, qr } = await enrol();
    await program().result('key', { key: 'late' });
    const description = { name: 'Late', platform: 'web' };
    const late = { device: 'late', key: 'late', qr, description };
    expect((await program().run('enrol', late)).error).toMatchObject({
      code: 'enrolment-code-used',
      status: 409,
    });
    await program().result('unregister', { device });
    expect(bodyOf(await stack.website.listDevices(identity.userId)).devices).toEqual([]);
    expect(await program().codeOf('challenges', { device })).toBe('invalid-signature');
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
