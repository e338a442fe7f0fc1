import type { CDPSession } from 'playwright-core';
import type { Subscription } from '../../../core/devices/subscription.ts';
import type { Visitor } from './visitor.ts';

/**
 * Chromium subscribes at Google alone, so `subscribe()` waits forever on a machine without a network. Here it answers with
 * this subscription, until the page is closed. Everything else is Chromium's own.
 */
export async function giveSubscription({ context }: Visitor, subscription: Subscription): Promise<void> {
  const content = `{
    const json = ${JSON.stringify(subscription)};
    let current = null;
    const bytesOf = (text) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0)).buffer;
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const options = { userVisibleOnly: true, applicationServerKey: bytesOf(applicationServerKey) };
      const unsubscribe = async () => (current = null) === null;
      return (current = { ...json, options, toJSON: () => json, unsubscribe });
    };
  }`;
  await context.addInitScript({ content });
}

/** Delivers pushes to the app's service worker as the browser does, once it has received and decrypted them. */
export class PushDelivery {
  readonly #session: CDPSession;
  readonly #registration: Promise<string>;
  readonly #origin: string;

  private constructor(session: CDPSession, registration: Promise<string>, origin: string) {
    this.#session = session;
    this.#registration = registration;
    this.#origin = origin;
  }

  /** From a page of its own, so that it also works while the app is closed. */
  static async to({ context, appUrl }: Visitor): Promise<PushDelivery> {
    const session = await context.newCDPSession(await context.newPage());
    const registration = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL === `${appUrl}/`);
        if (own) resolve(own.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    return new PushDelivery(session, registration, appUrl);
  }

  async deliver(data: string): Promise<void> {
    const registrationId = await this.#registration;
    await this.#session.send('ServiceWorker.deliverPushMessage', {
      origin: this.#origin,
      registrationId,
      data,
    });
  }
}
