import { randomBytes, randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { bodyOf } from '../../client/http.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { listWebPushes, type StackFile } from '../../local/client/local-stack.ts';
import { giveSubscription } from '../../test/support/browser/push-service.ts';
import { BrowserSubscription } from '../../test/support/browser-subscription.ts';

/** A push as the browser has received it. */
export type Arrived = { at: number; data: string };

/** A browser of one user, subscribed at the local push service. */
export class WebDevice {
  readonly #stack: StackFile;
  readonly #context: BrowserContext;
  readonly #website: WebsiteClient;
  readonly #userId = `bench-${randomUUID()}`;
  readonly #subscription: BrowserSubscription;

  constructor(context: BrowserContext, stack: StackFile) {
    this.#context = context;
    this.#stack = stack;
    this.#website = new WebsiteClient({ ...stack, ...stack.tenants[0] });
    this.#subscription = new BrowserSubscription(`${stack.webPushUrl}/${randomUUID()}`);
  }

  async enrol(): Promise<void> {
    await this.#context.grantPermissions(['notifications'], { origin: this.#stack.appUrl });
    await giveSubscription({ context: this.#context }, this.#subscription.toJSON());
    const { qr } = bodyOf(await this.#website.startEnrolment(this.#userId));
    const page = await this.#context.newPage();
    await page.goto(qr);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'This device is ready' }).waitFor();
    await page.close();
  }

  /** The website asks the user, with a push. */
  async ask(): Promise<{ challengeId: string; push: Arrived }> {
    const nonce = randomBytes(16).toString('base64url');
    const message = 'Pay 16.00 € to Café Zoë?';
    const { challengeId, delivery } = bodyOf(
      await this.#website.sendToUser(this.#userId, { message, nonce }),
    );
    const { endpoint } = this.#subscription;
    const arrived = (await listWebPushes(this.#stack)).findLast(({ token }) => token === endpoint);
    if (!arrived) throw new Error(`The push did not arrive. Its delivery is "${delivery}".`);
    const data = this.#subscription.decrypt(Buffer.from(arrived.body, 'base64url'));
    return { challengeId, push: { at: Date.parse(arrived.at), data } };
  }
}
