import { render } from 'preact';
import { App } from './app.tsx';
import { dress } from '#ui/stage/dress.ts';
import { listen } from './effects/listen.ts';
import { runEffect } from './effects/run-effect.ts';
import { start } from './effects/start.ts';
import { chosenLanguage, keepLanguage } from './i18n/chosen-language.ts';
import type { Texts } from './i18n/en.ts';
import { chooseLanguage, loadTexts, type Language } from './i18n/texts.ts';
import type { Platform } from './platform/index.ts';
import { routeOf } from './routes.ts';
import { initialState, type State } from './state/state.ts';
import { Store } from './store.ts';
import type { Message } from './state/messages.ts';
import type { Services } from './view.ts';

/** Reads a QR code by the camera. A camera that fails is the same to the user as none. */
async function scanWith(
  { scanner }: Platform,
  send: (message: Message) => void,
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await scanner.scan(video, { signal });
    if (!signal.aborted) send({ type: 'scanned', result });
  } catch {
    if (!signal.aborted) send({ type: 'scanned', result: { outcome: 'no-camera' } });
  }
}

/** Signing and storing keys need both; browsers have the first on secure pages only. */
const isSupported = (): boolean => 'subtle' in crypto && 'indexedDB' in globalThis;

export type PageOptions = {
  readonly createPlatform: () => Platform;
  /** Until the user gives another one. */
  readonly deviceName: string;
  readonly onChange?: (state: State) => void;
};

/** The app in this document. */
export class Page {
  readonly #root: HTMLElement;
  readonly #platform: Platform | undefined;
  readonly #onChange: PageOptions['onChange'];
  readonly #store: Store;
  readonly #services: Services;
  #language: Language = 'en';
  #texts: Texts | undefined;
  #waiting = 0;
  #stage: State['stage'] | undefined;

  constructor(root: HTMLElement, { createPlatform, deviceName, onChange }: PageOptions) {
    this.#root = root;
    this.#platform = isSupported() ? createPlatform() : undefined;
    this.#onChange = onChange;
    this.#services = this.#servicesOf(deviceName);
    const state = initialState(Date.now(), routeOf(location.hash));
    this.#store = new Store(
      { ...state, visible: document.visibilityState === 'visible' },
      {
        now: Date.now,
        run: (effect) => this.#platform && runEffect(this.#platform, this.#store.send, effect),
        render: () => this.#render(),
      },
    );
  }

  get state(): State {
    return this.#store.state;
  }

  async open(link: string | undefined): Promise<void> {
    const { send } = this.#store;
    const speaking = this.#speak();
    if (this.#platform) {
      listen(this.#platform, send);
      await start(this.#platform, send);
    } else send({ type: 'broken' });
    if (link !== undefined) send({ type: 'link', text: link });
    await speaking;
  }

  send(message: Message): void {
    this.#store.send(message);
  }

  async #speak(): Promise<void> {
    const { languages } = this.#store.state.stage;
    const language = chosenLanguage() ?? chooseLanguage(navigator.languages, languages);
    this.#texts = await loadTexts(language);
    this.#language = language;
    document.documentElement.lang = language;
    this.#render();
  }

  #servicesOf(deviceName: string): Services {
    return {
      deviceName,
      scan: async (video, signal) => {
        if (this.#platform) await scanWith(this.#platform, this.#store.send, video, signal);
      },
      copy: async (text) => await navigator.clipboard.writeText(text),
      chooseLanguage: (language) => {
        keepLanguage(language);
        void this.#speak();
      },
      chosenLanguage,
    };
  }

  /** Once the app knows its stage. */
  #dress({ stage }: State): void {
    if (stage === this.#stage) return;
    const before = this.#stage;
    this.#stage = stage;
    dress(stage.color);
    if (before && String(stage.languages) !== String(before.languages)) void this.#speak();
  }

  #count({ phase, challenges }: State): void {
    if (phase !== 'ready' || challenges.length === this.#waiting) return;
    this.#waiting = challenges.length;
    void this.#platform?.badge(this.#waiting);
  }

  #render(): void {
    if (!this.#texts) return;
    const { state, send } = this.#store;
    this.#count(state);
    this.#dress(state);
    const view = { state, texts: this.#texts, language: this.#language, send, services: this.#services };
    render(<App view={view} />, this.#root);
    this.#onChange?.(state);
  }
}
