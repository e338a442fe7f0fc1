/** The token endpoint: who gets tokens, when, and how often. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOf } from '../../../client/http.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, newNonce, notification, openChallenge } from '../scenario.ts';
import {
  ClientRegister,
  demoClient,
  expectOAuthError,
  type OAuthClient,
  withSecret,
} from './oauth-client.ts';

export function redemption(stack: TestStack): void {
  let phone: SimulatedDevice;
  let client: OAuthClient;
  beforeAll(() => {
    client = demoClient(stack);
  });

  /** A new user, so that no limit of one test meets another. */
  const asked = async (by: OAuthClient, parameters: Record<string, string> = {}) => {
    phone = await enrolDevice(stack.website);
    return await by.start(phone.identity.userId, parameters);
  };
  const confirm = async () => bodyOf(await phone.confirm(await openChallenge(phone)));

  describe('an unanswered request', () => {
    test('is pending', async () => {
      const { auth_req_id: id, interval, expires_in: lifetime } = await asked(client);
      expect({ interval, lifetime }).toEqual({ interval: 2, lifetime: 120 });
      expect(id).toMatch(/^[\w-]{43}$/);
      const { headers } = expectOAuthError(await client.poll(id), 'authorization_pending');
      expect(headers.get('retry-after')).toBe('2');
    });

    test('looks unknown to another client of the tenant and to another tenant', async () => {
      const { auth_req_id: id } = await asked(client);
      const colleague = await new ClientRegister(stack).withKeys();
      const neighbour = withSecret(stack, stack.file.tenants[1]);
      for (const stranger of [colleague, neighbour]) {
        // Not slow_down: a stranger learns nothing, and counts for nothing.
        expectOAuthError(await stranger.poll(id), 'invalid_grant');
        expectOAuthError(await stranger.poll(id), 'invalid_grant');
      }
      expectOAuthError(await client.poll(id), 'authorization_pending');
      await confirm();
      for (const stranger of [colleague, neighbour])
        expectOAuthError(await stranger.poll(id), 'invalid_grant');
      expect((await client.poll(id)).status).toBe(200);
    });
  });

  describe('a confirmed request', () => {
    test('is redeemed once', async () => {
      const { auth_req_id: id } = await asked(client);
      await confirm();
      expect((await client.poll(id)).status).toBe(200);
      expectOAuthError(await client.poll(id), 'invalid_grant');
      expectOAuthError(await client.poll(id), 'invalid_grant');
    });

    test('gives no tokens to a client whose tenant was suspended meanwhile', async () => {
      const register = new ClientRegister(stack);
      const suspended = await register.withKeys();
      const { auth_req_id: id } = await asked(suspended);
      await confirm();
      await register.suspend(suspended.clientId);
      expectOAuthError(await suspended.poll(id), 'invalid_client', 401);
      expectOAuthError(await suspended.authorize({ login_hint: 'anna' }), 'invalid_client', 401);
    });
  });

  describe('a request without tokens', () => {
    test("answers access_denied after the user's denial", async () => {
      const { auth_req_id: id } = await asked(client);
      bodyOf(await phone.deny(await openChallenge(phone)));
      expectOAuthError(await client.poll(id), 'access_denied');
      expectOAuthError(await client.poll(id), 'access_denied');
    });

    test('answers access_denied after its device was removed', async () => {
      const { auth_req_id: id } = await asked(client);
      const { userId, deviceId } = phone.identity;
      bodyOf(await stack.website.removeDevice(userId, deviceId));
      expectOAuthError(await client.poll(id), 'access_denied');
    });

    test("answers invalid_grant if it is a website's push", async () => {
      phone = await enrolDevice(stack.website);
      const nonce = newNonce();
      const { userId } = phone.identity;
      bodyOf(await stack.website.sendToUser(userId, notification({ nonce })));
      expectOAuthError(await client.poll(nonce), 'invalid_grant');
      await confirm();
      expectOAuthError(await client.poll(nonce), 'invalid_grant');
    });
  });
}
