/** What the tenant's other clients, and its websites, learn of a request and of each other's questions. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded, withoutTrace } from '../expectations.ts';
import { enrolDevice, newNonce, notification, openChallenge, poll, push } from '../scenario.ts';
import { demoClient, type OAuthClient } from './oauth-client.ts';

export function otherClients(stack: TestStack): void {
  let client: OAuthClient;
  /** Of the same tenant, with every scope and number matching. */
  let other: WebsiteClient;
  beforeAll(async () => {
    client = demoClient(stack);
    const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', stack.file.tenants[0].tenantId, '--name', 'other'],
      ...['--scope', 'all', '--number-matching', 'pick'],
    );
    other = new WebsiteClient({ ...stack.file, ...made });
  });

  describe('a CIBA request looks nonexistent to websites', () => {
    const message = 'Pay 12.50 €?';
    let phone: SimulatedDevice;
    let id: string;
    beforeAll(async () => {
      phone = await enrolDevice(stack.website);
      ({ auth_req_id: id } = await client.start(phone.identity.userId, { binding_message: message }));
    });

    const websites = () => [stack.website, other];

    const expectUnknown = async (): Promise<void> => {
      const calls = websites().flatMap((website) => [
        website.getConfirmation.bind(website),
        website.withdraw.bind(website),
      ]);
      for (const call of [...calls, other.withdrawRequest.bind(other)]) {
        const answer = await call(id);
        expectProblem(answer, 404, 'confirmation-not-found');
        expect(withoutTrace(answer)).toEqual(withoutTrace(await call(newNonce())));
      }
    };

    test('cannot be read or withdrawn while pending', expectUnknown);

    test('uses its id as a nonce, so a push with the same one conflicts', async () => {
      const { userId } = phone.identity;
      for (const website of websites()) {
        const sent = await website.sendToUser(userId, { message, nonce: id });
        const refused = expectProblem(sent, 409, 'nonce-already-used');
        expect(JSON.stringify(refused)).not.toContain(userId);
      }
    });

    test('gives nobody its evidence once it is confirmed', async () => {
      succeeded(await phone.confirm(await openChallenge(phone)), 200);
      await expectUnknown();
      expect((await client.poll(id)).status).toBe(200);
    });
  });

  describe('a CIBA request that its client withdraws', () => {
    test('leaves the phone, gives no tokens, and leaves the phone free for the next one', async () => {
      const phone = await enrolDevice(stack.website);
      const { userId } = phone.identity;
      const { auth_req_id: id } = await client.start(userId, { binding_message: 'Pay 12.50 €?' });
      await openChallenge(phone);
      succeeded(await stack.website.withdrawRequest(id), 204);
      succeeded(await stack.website.withdrawRequest(id), 204);
      expect(succeeded(await phone.challenges(), 200)).toMatchObject({ challenges: [] });
      expect(await client.poll(id)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
      const { auth_req_id: next } = await client.start(userId, { binding_message: 'Pay 12.50 €?' });
      succeeded(await phone.confirm(await openChallenge(phone)), 200);
      expectProblem(await stack.website.withdrawRequest(next), 409, 'already-decided');
    });

    test('must be one of its own by CIBA', async () => {
      const phone = await enrolDevice(stack.website);
      const { nonce } = await push(stack.website, phone);
      expectProblem(await stack.website.withdrawRequest(nonce), 404, 'confirmation-not-found');
      await openChallenge(phone);
    });

    test('stays when everything that the client asked as a website is withdrawn', async () => {
      const phone = await enrolDevice(stack.website);
      await client.start(phone.identity.userId, { binding_message: 'Pay 12.50 €?' });
      succeeded(await stack.website.withdrawAll(phone.identity.userId), 204);
      await openChallenge(phone);
    });
  });

  describe('a push of another client of the tenant', () => {
    let phone: SimulatedDevice;
    const asked = notification();
    let sent: Record<string, unknown>;
    const ask = async (website: WebsiteClient, question = asked) =>
      await website.sendToUser(phone.identity.userId, question);
    beforeAll(async () => {
      phone = await enrolDevice(stack.website);
      sent = succeeded(await ask(other), 202);
    });

    test('returns the number to its own client, also when repeated', async () => {
      expect(sent['matchCode']).toMatch(/^\d\d$/);
      const { matchCode, repeated } = succeeded(await ask(other), 202);
      expect({ matchCode, repeated }).toEqual({ matchCode: sent['matchCode'], repeated: true });
    });

    test('cannot be repeated by another client', async () => {
      expectProblem(await ask(stack.website), 409, 'nonce-already-used');
    });

    test('can be polled by every client of the tenant, without the number', async () => {
      for (const website of [stack.website, other]) {
        const { matchCode, ...current } = await poll(website, asked.nonce);
        expect(matchCode).toBeUndefined();
        expect(current).toMatchObject({ nonce: asked.nonce, status: 'pending' });
      }
      bodyOf(await stack.website.withdraw(asked.nonce));
    });
  });
}
