import type { Browser, BrowserContext } from 'playwright-core';
import type { StackFile } from '../../local/client/local-stack.ts';
import { PushDelivery } from '../../test/support/browser/push-service.ts';
import { PATIENCE_MS } from '../../test/support/browser/within.ts';
import { launchChromium } from '../report/chromium.ts';
import { WebDevice } from './device.ts';
import { Screen } from './screen.ts';

/** Milliseconds. */
export type Round = {
  /** From the navigation to the first contentful paint, in a browser that has never seen the app. */
  firstVisit: number;
  /** The same once the service worker has the app's files. It is started for this visit. */
  laterVisit: number;
  /** From the website's call until the push service has the push. */
  sent: number;
  /** From the delivery of the push to the browser until its notification is shown. The app is closed. */
  notified: number;
  /** From the opening of a request's link until the request is shown. */
  shown: number;
  /** The same until a tap counts. */
  answerable: number;
  /** From the tap on "Confirm" until the result is shown. */
  confirmed: number;
};

/** A round has a browser profile, a user and a device of its own. The first one warms up, and does not count. */
export async function measure(
  stack: StackFile,
  count: number,
  report: (line: string) => void,
): Promise<{ browser: string; rounds: Round[] }> {
  await using browser = await launchChromium();
  const rounds: Round[] = [];
  for (let round = 0; round <= count; round += 1) {
    report(round === 0 ? 'warming up' : `round ${round} of ${count}`);
    const measured = await measureRound(browser, stack);
    if (round > 0) rounds.push(measured);
  }
  return { browser: `Chromium ${browser.version()}`, rounds };
}

async function measureRound(browser: Browser, stack: StackFile): Promise<Round> {
  const { appUrl } = stack;
  await using context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 760 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const firstVisit = await visit(context, appUrl);
  const delivery = await PushDelivery.to({ context, appUrl });
  await delivery.stopWorker();
  const laterVisit = await visit(context, appUrl);
  const device = new WebDevice(context, stack);
  await device.enrol();
  const asked = Date.now();
  const { challengeId, push } = await device.ask();
  await delivery.stopWorker();
  const delivered = Date.now();
  const notified = (await delivery.deliver(push.data)) - delivered;
  await expectNotification(context, appUrl, challengeId);
  const answer = await answerRequest(context, `${appUrl}/#/challenge/${challengeId}`);
  return { firstVisit, laterVisit, sent: push.at - asked, notified, ...answer };
}

async function visit(context: BrowserContext, url: string): Promise<number> {
  const screen = await Screen.open(context, url);
  const firstPaint = await screen.firstPaint();
  await screen.isControlled();
  await screen.page.close();
  return firstPaint;
}

/** What the developer tools told must be what the app itself finds. */
async function expectNotification(
  context: BrowserContext,
  appUrl: string,
  challengeId: string,
): Promise<void> {
  const page = await context.newPage();
  // Not the app: it takes notifications away.
  await page.goto(`${appUrl}/manifest.webmanifest`);
  const tags = await page.evaluate<
    string[]
  >(`navigator.serviceWorker.getRegistration('/').then(async (registration) =>
    (await registration.getNotifications()).map(({ tag }) => tag))`);
  if (!tags.includes(challengeId))
    throw new Error(`The notifications are those of ${tags.join(', ') || 'nothing'}.`);
  await page.close();
}

async function answerRequest(
  context: BrowserContext,
  link: string,
): Promise<Pick<Round, 'shown' | 'answerable' | 'confirmed'>> {
  const screen = await Screen.open(context, link);
  const confirm = screen.page.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  await screen.page.getByRole('heading', { name: 'Confirmed' }).waitFor();
  const [shown, answerable, tapped, confirmed] = [
    await screen.timeOf('shown'),
    await screen.timeOf('answerable'),
    await screen.timeOf('tapped'),
    await screen.timeOf('confirmed'),
  ];
  return { shown, answerable, confirmed: confirmed - tapped };
}
