import { Listeners } from './listeners.ts';
import type { Unsubscribe, Updates } from './platform.ts';

/** Milliseconds between two questions for a new version, while the app stays open. */
const pauseMs = 60 * 60_000;

export class BrowserUpdates implements Updates {
  readonly #listeners = new Listeners();
  #available = false;
  #waiting: ServiceWorker | undefined;
  #askedAt = Date.now();

  constructor(registration: Promise<ServiceWorkerRegistration | undefined>) {
    void registration.then((registered) => registered && this.#watch(registered));
  }

  onAvailable(listener: () => void): Unsubscribe {
    if (this.#available) listener();
    return this.#listeners.add(listener);
  }

  apply(): void {
    const reload = () => location.reload();
    if (this.#waiting) {
      navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
      this.#waiting.postMessage('activate');
    } else reload();
  }

  #watch(registration: ServiceWorkerRegistration): void {
    if (registration.waiting) this.#offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const { installing } = registration;
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' && registration.active) this.#offer(installing);
      });
    });
    this.#watchController();
    document.addEventListener('visibilitychange', () => void this.#ask(registration));
  }

  /** Another tab may activate a new version: then this one still runs the old. */
  #watchController(): void {
    const { serviceWorker } = navigator;
    let before = serviceWorker.controller;
    serviceWorker.addEventListener('controllerchange', () => {
      if (before) this.#offer(undefined);
      before = serviceWorker.controller;
    });
  }

  #offer(waiting: ServiceWorker | undefined): void {
    this.#waiting = waiting;
    this.#available = true;
    this.#listeners.call();
  }

  async #ask(registration: ServiceWorkerRegistration): Promise<void> {
    if (document.visibilityState !== 'visible' || Date.now() - this.#askedAt < pauseMs) return;
    this.#askedAt = Date.now();
    await registration.update().catch(() => undefined);
  }
}
