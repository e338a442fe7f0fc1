/** The way back from the app to a website on the same phone. */
import { expect, test } from '@jest/globals';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, succeeded } from '../expectations.ts';
import { enrolDevice, notification, openChallenge, tryPush } from '../scenario.ts';

const origins = ['https://shop.example', 'http://localhost:3000'];

export function returnTo(stack: TestStack): void {
  const create = () => ['client', 'create', stack.file.tenants[0].tenantId, '--scope', 'all'];
  const newWebsite = async (): Promise<WebsiteClient> => {
    const registered = origins.flatMap((origin) => ['--return-origin', origin]);
    const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(
      ...[...create(), '--name', `shop ${notification().nonce}`, ...registered],
    );
    expect(made).toMatchObject({ returnOrigins: origins });
    return new WebsiteClient({ ...stack.file, ...made });
  };

  test('is for the app alone: it is no part of what is signed, and tells nothing', async () => {
    const website = await newWebsite();
    const device = await enrolDevice(website);
    const back = 'https://shop.example/orders/4711?step=2#pay';
    const sent = succeeded(await tryPush(website, device, { returnTo: back }), 202);
    expect(sent).not.toHaveProperty('returnTo');
    expect(sent.context).not.toContain('shop.example');
    const challenge = await openChallenge(device);
    expect(challenge).toMatchObject({ returnTo: back, context: sent.context });
    succeeded(await device.confirm(challenge), 200);
  });

  test('is refused for a client without registered origins', async () => {
    const device = await enrolDevice(stack.website);
    const answer = await tryPush(stack.website, device, { returnTo: 'https://shop.example/' });
    expectFaults(answer, '/returnTo');
  });
}
