import { Listeners } from './listeners.ts';
import type { Install, InstallState, Unsubscribe } from './platform.ts';

/** Chromium's event before it offers the installation; not in the DOM's types. */
type InstallPromptEvent = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> };

/** Safari's own property, on iOS only: true if the app was opened from the Home Screen. */
type AppleNavigator = { standalone?: boolean };

const displayMode = (): MediaQueryList => matchMedia('(display-mode: standalone)');

export const isInstalled = (): boolean =>
  displayMode().matches || (navigator as AppleNavigator).standalone === true;

/** iPads call themselves a Macintosh, which has no touch screen. */
export const isAppleMobile = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** Create it at the start: the browser offers the installation only once. */
export class BrowserInstall implements Install {
  readonly #listeners = new Listeners<InstallState>();
  #offer: InstallPromptEvent | undefined;

  constructor() {
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.#change(event as InstallPromptEvent);
    });
    addEventListener('appinstalled', () => this.#change(undefined));
    displayMode().addEventListener('change', () => this.#listeners.call(this.state()));
  }

  state(): InstallState {
    if (isInstalled()) return 'installed';
    if (isAppleMobile()) return 'manual';
    return this.#offer ? 'prompt' : 'browser';
  }

  async prompt(): Promise<boolean> {
    const offer = this.#offer;
    if (!offer) return false;
    this.#change(undefined); // An offer can be used once.
    return (await offer.prompt()).outcome === 'accepted';
  }

  onChange(listener: (state: InstallState) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  #change(offer: InstallPromptEvent | undefined): void {
    this.#offer = offer;
    this.#listeners.call(this.state());
  }
}
