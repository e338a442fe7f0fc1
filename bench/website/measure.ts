import type { Page } from 'playwright-core';
import { Omi } from '#website';
import { WebsiteClient } from '../../client/website-client.ts';
import type { LocalStack } from '../api/stack.ts';
import { launchChromium } from '../report/chromium.ts';
import { newCustomer } from './customers.ts';
import { type Round, roundInBrowser, roundOnServer } from './rounds.ts';
import { ServiceCalls } from './service-calls.ts';
import { shopByHand, shopWithPackages, type SignedIn } from './shops.ts';

/** The ways take turns, so that other work on the machine affects all of them. The first round does not count. */
export async function measure(
  { file }: LocalStack,
  elements: Uint8Array,
  count: number,
  report: (line: string) => void,
): Promise<Round[]> {
  await using parts = new AsyncDisposableStack();
  const signedIn: SignedIn = { customer: undefined };
  const calls = parts.use(new ServiceCalls([file.baseUrl, file.tokenUrl]));
  const website = new WebsiteClient({ ...file, ...file.tenants[0] });
  const omi = new Omi({ ...file, ...file.tenants[0] });
  const shops = {
    hand: await shopByHand(file, signedIn),
    packages: await shopWithPackages(omi, signedIn, elements),
  };
  for (const shop of Object.values(shops)) parts.defer(shop.close);
  const page = await openPage(parts);
  const rounds: Round[] = [];
  for (let round = 0; round <= count; round += 1) {
    report(round === 0 ? 'warming up' : `round ${round} of ${count}`);
    const measured: Round[] = [];
    for (const way of ['hand', 'packages'] as const) {
      const customer = await newCustomer(website);
      measured.push(await roundInBrowser(way, { page, calls }, { shop: shops[way], signedIn, customer }));
    }
    measured.push(await roundOnServer(omi, calls, await newCustomer(website)));
    if (round > 0) rounds.push(...measured);
  }
  return rounds;
}

async function openPage(parts: AsyncDisposableStack): Promise<Page> {
  return await parts.use(await launchChromium()).newPage();
}
