import type { Page } from 'playwright-core';
import { ClientError } from '../../../client/http.ts';
import { ensureBrowser } from '../browsers/install.ts';
import type { DemoDevice } from './context.ts';

/** For what a person sees at once. */
const patienceMs = 30_000;

/** The web app in a Chromium without a window, operated as a user operates it. */
export async function webApp(appUrl: string, log: (line: string) => void): Promise<DemoDevice> {
  const executablePath = await ensureBrowser('chromium', log);
  const { chromium } = await import('playwright-core');
  // Its sandbox needs user namespaces, which root has not in a container. It opens only the local web app.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const app = operate(page);
  return {
    title: 'the web app',
    enrolling: 'opens the link, creates a key pair and enrols',
    enrol: async (qr, print) => {
      if (!qr.startsWith(`${appUrl}/`)) throw new ClientError(`The link does not lead to ${appUrl}`);
      await page.goto(qr);
      await app.sees('Name this device');
      await app.clicks('Continue');
      // Nobody can permit notifications in a browser without a window. The app asks for requests while it is open.
      await app.clicks('Not now');
      await app.sees('This device is ready');
      await app.clicks('Done');
      print(`at ${appUrl}, in Chromium ${browser.version()}`);
    },
    show: async ({ message }, print) => {
      await app.clicks('Review');
      await app.sees('Confirm this request?');
      await page.getByText(message, { exact: true }).first().waitFor();
      print(`"${message}" is on the screen`);
    },
    answer: async (_, decision, print) => {
      const [button, result] = decision === 'confirm' ? ['Confirm', 'Confirmed'] : ['Deny', 'Denied'];
      await app.clicks(button);
      await app.sees(result);
      print(`the app says "${result}"`);
      await app.clicks('Back to requests');
    },
    close: async () => await browser.close(),
  };
}

const operate = (page: Page) => ({
  sees: async (heading: string): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  },
  clicks: async (name: string): Promise<void> => {
    const [button, link] = (['button', 'link'] as const).map((role) =>
      page.getByRole(role, { name, exact: true }),
    );
    if (button && link) await button.or(link).click();
  },
});
