import type { Language } from './i18n/texts.ts';
import type { Texts } from './i18n/en.ts';
import type { Message } from './state/messages.ts';
import type { State } from './state/state.ts';

export type Send = (message: Message) => void;

/** What every screen gets. Screens are pure: the same view renders the same. */
export type View = {
  readonly state: State;
  readonly texts: Texts;
  readonly language: Language;
  readonly send: Send;
  readonly services: Services;
};

/** What a screen asks of the browser while it is shown, apart from the state. */
export type Services = {
  /** The device's name, until the user gives another one. */
  readonly deviceName: string;
  /** Shows the camera in `video` until a QR code is read. */
  scan(video: HTMLVideoElement, signal: AbortSignal): Promise<void>;
  copy(text: string): Promise<void>;
  /** `undefined`: the browser's language. */
  chooseLanguage(language: Language | undefined): void;
  chosenLanguage(): Language | undefined;
};
