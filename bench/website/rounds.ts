import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import type { Omi } from '#website';
import { type Customer, tap } from './customers.ts';
import type { ServiceCalls } from './service-calls.ts';
import type { Shop, SignedIn } from './shops.ts';

export const ways = ['hand', 'packages', 'call'] as const;
export type Way = (typeof ways)[number];

/** Milliseconds, and the calls of one confirmation. */
export type Round = {
  way: Way;
  /** From the click to "check your phone"; of one call on the server, until the service has sent the push. */
  asked: number;
  /** From the tap on the device to the paid page; of one call, until it returns. */
  answered: number;
  /** Of the page, to its own server. */
  pageCalls: number;
  /** Of the website, to the service. */
  serviceCalls: string[];
};

/** A user needs some time. It is random, so that answers fall into every part of the second between two polls. */
const thinkingTime = (): number => randomInt(1_000, 3_000);

type Tab = { page: Page; calls: ServiceCalls };

/** How a page shows that it waits, and that it is paid, as expressions in the page. */
const shown = {
  hand: {
    waiting: `document.querySelector('[role=status]').textContent.startsWith('Check your phone')`,
    paid: `document.querySelector('[role=status]')?.textContent === 'Paid.'`,
    changes: `document.querySelector('[role=status]')`,
  },
  packages: {
    waiting: `document.querySelector('omi-confirmation').state === 'pending'`,
    paid: `document.title === 'Paid'`,
    changes: `document.querySelector('omi-confirmation').shadowRoot`,
  },
};

/** Clicks, and resolves in the page with the time until it says that it waits. */
const clickAndWait = ({ waiting, changes }: (typeof shown)['hand']): string => `new Promise((resolve) => {
  const begun = performance.now();
  const look = () => ${waiting} && resolve(performance.now() - begun);
  new MutationObserver(look).observe(${changes}, { subtree: true, childList: true, characterData: true, attributes: true });
  document.querySelector('form button').click();
})`;

/** Resolves in the page with the time of day at which it is paid. The page with the elements is another one then. */
const waitUntilPaid = ({ paid, changes }: (typeof shown)['hand']): string => `new Promise((resolve) => {
  const look = () => ${paid} && resolve(Date.now());
  look();
  new MutationObserver(look).observe(${changes}, { subtree: true, childList: true, characterData: true });
})`;

export async function roundInBrowser(
  way: 'hand' | 'packages',
  { page, calls }: Tab,
  { shop, signedIn, customer }: { shop: Shop; signedIn: SignedIn; customer: Customer },
): Promise<Round> {
  signedIn.customer = customer;
  calls.take();
  let pageCalls = 0;
  const count = (request: Request): void => {
    if (request.resourceType() === 'fetch' || request.method() === 'POST') pageCalls += 1;
  };
  page.on('request', count);
  await page.goto(shop.url, { waitUntil: 'networkidle' });
  const asked = await page.evaluate<number>(clickAndWait(shown[way]));
  const paid =
    way === 'hand'
      ? page.evaluate<number>(waitUntilPaid(shown.hand))
      : page.waitForURL('**/pay', { waitUntil: 'commit' }).then(() => Date.now());
  await sleep(thinkingTime());
  const tapped = await tap(customer);
  const answered = (await paid) - tapped;
  page.off('request', count);
  return { way, asked, answered, pageCalls, serviceCalls: calls.take() };
}

/** `omi.confirm` without a page. */
export async function roundOnServer(omi: Omi, calls: ServiceCalls, customer: Customer): Promise<Round> {
  calls.take();
  const begun = performance.now();
  const { promise: waiting, resolve: waits } = Promise.withResolvers<number>();
  const { userId } = customer;
  const onPending = (): void => waits(performance.now() - begun);
  const ending = omi
    .confirm({ userId, message: 'Pay 12.50 € to Example Shop?', onPending })
    .then(({ status }) => ({ status, at: Date.now() }));
  const asked = await waiting;
  await sleep(thinkingTime());
  const tapped = await tap(customer);
  const { status, at } = await ending;
  if (status !== 'confirmed') throw new Error(`It is ${status}`);
  return { way: 'call', asked, answered: at - tapped, pageCalls: 0, serviceCalls: calls.take() };
}
