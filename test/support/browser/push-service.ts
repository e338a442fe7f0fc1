import type { CDPSession } from 'playwright-core';
import type { Subscription } from '../../../core/devices/subscription.ts';
import type { Visitor } from './visitor.ts';
import { within } from './within.ts';

type App = Pick<Visitor, 'context' | 'appUrl'>;

type ReceivedEvent = { backgroundServiceEvent: { eventName: string; timestamp: number } };

/**
 * Chromium subscribes at Google alone, so `subscribe()` waits forever on a machine without a network. Here it answers with
 * this subscription, until the page is closed. Everything else is Chromium's own.
 */
export async function giveSubscription(
  { context }: Pick<App, 'context'>,
  subscription: Subscription,
): Promise<void> {
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

/**
 * Delivers pushes to the app's service worker as the browser does, once it has received and decrypted them.
 *
 * Chromium takes a notification away if a page calls `getNotifications()` while it is being shown, so nobody may ask before
 * its developer tools have told that it is there.
 */
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
  static async to({ context, appUrl }: App): Promise<PushDelivery> {
    const session = await context.newCDPSession(await context.newPage());
    const registration = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${appUrl}/` && !isDeleted);
        if (own) resolve(own.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    const service = 'notifications';
    await session.send('BackgroundService.startObserving', { service });
    await session.send('BackgroundService.setRecording', { shouldRecord: true, service });
    return new PushDelivery(session, registration, appUrl);
  }

  /** @returns the time at which the notification for it is shown, in milliseconds since 1970 */
  async deliver(data: string): Promise<number> {
    const registrationId = await within('The registration of the service worker', this.#registration);
    const shown = this.#nextShown();
    await this.#session.send('ServiceWorker.deliverPushMessage', {
      origin: this.#origin,
      registrationId,
      data,
    });
    return await within('The notification for the push', shown);
  }

  /** The browser ends the worker of an app that nobody uses, and starts it for the next push or page. */
  async stopWorker(): Promise<void> {
    await this.#session.send('ServiceWorker.stopAllWorkers');
  }

  async #nextShown(): Promise<number> {
    const name = 'BackgroundService.backgroundServiceEventReceived';
    const { promise, resolve } = Promise.withResolvers<number>();
    const listener = ({ backgroundServiceEvent }: ReceivedEvent): void => {
      const { eventName, timestamp } = backgroundServiceEvent;
      if (eventName === 'Notification displayed') resolve(timestamp * 1_000);
    };
    this.#session.on(name, listener);
    return await promise.finally(() => this.#session.off(name, listener));
  }
}
