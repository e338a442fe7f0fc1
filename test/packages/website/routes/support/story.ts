import { expect } from '@jest/globals';
import type { SimulatedDevice } from '../../../../../client/device/simulated-device.ts';
import { enrolDevice, openChallenge } from '../../../../contract/scenario.ts';
import type { TestStack } from '../../../../support/stack.ts';
import { TestWebsite, type TestWebsiteOptions } from './test-website.ts';
import type { Visitor } from './visitor.ts';

/** A user with a phone, who is signed in to a website of the test's own. */
export async function signedIn(stack: TestStack, options: TestWebsiteOptions = {}) {
  const website = new TestWebsite(stack, options);
  const phone = await enrolDevice(stack.website);
  return { website, phone, visitor: website.visitor(phone.identity.userId) };
}

/** Long enough for the service to be asked again. */
export const afterIntervalMs = 2_000;

type Story = { website: TestWebsite; phone: SimulatedDevice; visitor: Visitor };

/** Asks and confirms, until the page knows. */
export async function confirmed({ website, phone, visitor }: Story, fields?: object): Promise<string> {
  const id = await visitor.asked(fields);
  await phone.confirm(await openChallenge(phone));
  website.ahead += afterIntervalMs;
  expect((await visitor.look(id)).body).toMatchObject({ status: 'confirmed' });
  return id;
}
