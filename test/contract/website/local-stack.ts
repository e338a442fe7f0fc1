import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { newUser } from '../scenario.ts';

/** fetch does not let a caller choose the Host header. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request(url, { headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const loopback = /^http:\/\/(127\.0\.0\.1|localhost):\d+(\/.*[^/])?$/;
const places = ['baseUrl', 'issuer', 'pushesUrl', 'faultsUrl'] as const;

async function addressOf({ file, website }: TestStack, place: (typeof places)[number]) {
  const authorization = `Bearer ${await website.accessToken()}`;
  if (place === 'baseUrl') return { url: `${file.baseUrl}/omi/users/${newUser()}/devices`, authorization };
  if (place === 'issuer') return { url: `${file.issuer}/.well-known/openid-configuration`, authorization };
  return { url: file[place], authorization };
}

export function localStack(stack: TestStack): void {
  test('describes itself in a file that only its owner can read, with three seeded tenants', async () => {
    const { mode } = await stat(join(stack.directory, 'stack.json'));
    expect(mode & 0o777).toBe(0o600);
    const { tenants, aws } = stack.file;
    expect(new Set(tenants.map(({ tenantId }) => tenantId)).size).toBe(3);
    expect(new Set(tenants.map(({ clientId }) => clientId)).size).toBe(3);
    for (const { tenantId } of tenants) expect(tenantId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    for (const place of places) expect(stack.file[place]).toMatch(loopback);
    for (const endpoint of Object.values(aws.endpoints)) expect(endpoint).toMatch(loopback);
  });

  test.each(places)('%s rejects a foreign Host or Origin', async (place) => {
    const { url, authorization } = await addressOf(stack, place);
    const { host, origin } = new URL(url);
    expect(await statusOf(url, { authorization, host })).toBe(200);
    expect(await statusOf(url, { authorization, host, origin })).toBe(200);
    for (const foreign of [{ host: 'attacker.example' }, { host, origin: 'https://attacker.example' }]) {
      const status = await statusOf(url, { authorization, ...foreign });
      expect([400, 403, 421]).toContain(status);
    }
  });
}
