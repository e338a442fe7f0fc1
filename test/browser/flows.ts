/** What a user does with the app in most tests. */
import { randomUUID } from 'node:crypto';
import type { Notification } from '../../client/contract.ts';
import { bodyOf } from '../../client/http.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { jsonOn } from '../cli/omi.ts';
import { notification } from '../contract/scenario.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import type { TestStack } from '../support/stack.ts';

/** New, so that no limit of one test meets another. People must never see such an id. */
export const newPerson = (): string => randomUUID();

/** What people see in its place. */
export const labelOf = (userId: string): string => `Anna · …${userId.slice(-4)}`;

export type Enrolled = { userId: string; website: WebsiteClient };

/** Opens the link of a new enrolment, and keeps the device's name. */
export async function beginEnrolment(
  visitor: Visitor,
  website: WebsiteClient,
  userId = newPerson(),
): Promise<Enrolled> {
  const { qr } = bodyOf(await website.startEnrolment(userId, undefined, labelOf(userId)));
  await visitor.open(qr);
  await visitor.sees('Name this device');
  return { userId, website };
}

/** Enrols this browser, without notifications. */
export async function enrol(visitor: Visitor, website: WebsiteClient, userId?: string): Promise<Enrolled> {
  const enrolled = await beginEnrolment(visitor, website, userId);
  await visitor.clicks('Continue');
  await visitor.clicks('Not now');
  await visitor.sees('This device is ready');
  await visitor.clicks('Done');
  return enrolled;
}

const message = 'Pay 16.00 € to Café Zoë?';

/** Asks the user to confirm. */
export async function askUser({ website, userId }: Enrolled, overrides: Partial<Notification> = {}) {
  return bodyOf(await website.sendToUser(userId, notification({ message, ...overrides })));
}

/** Asks the user to confirm, and waits until the app shows the request. */
export async function ask(visitor: Visitor, enrolled: Enrolled, overrides: Partial<Notification> = {}) {
  const asked = await askUser(enrolled, overrides);
  await visitor.reads(overrides.message ?? message);
  return asked;
}

/** Asks, and opens the request. */
export async function askAndReview(visitor: Visitor, enrolled: Enrolled, overrides?: Partial<Notification>) {
  const asked = await ask(visitor, enrolled, overrides);
  await visitor.clicks('Review');
  await visitor.sees('Confirm this request?');
  return asked;
}

/** A tenant of its own with these settings, and its website. */
export async function openShop(
  stack: TestStack,
  name: string,
  ...settings: string[]
): Promise<WebsiteClient> {
  const made = await jsonOn(stack)<{ tenantId: string }>('tenant', 'create', '--name', name, ...settings);
  return await websiteOf(stack, made.tenantId);
}

/** A new client of this tenant. */
export async function websiteOf(stack: TestStack, tenantId: string): Promise<WebsiteClient> {
  const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'Website', '--scope', 'all'],
  );
  return new WebsiteClient({ ...stack.file, ...made });
}
