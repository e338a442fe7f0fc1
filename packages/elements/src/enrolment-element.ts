import { Parts } from './enrolment/parts.ts';
import { css } from './enrolment/styles.ts';
import {
  initial,
  type Effect,
  type Look,
  type Message,
  type Started,
  type State,
} from './enrolment/state.ts';
import { dictionary } from './enrolment/texts/dictionary.ts';
import type { EnrolmentTexts } from './enrolment/texts/texts.ts';
import { update } from './enrolment/update.ts';
import { viewOf } from './enrolment/view.ts';
import { exchange } from './http/exchange.ts';
import { type Brand, OmiElement } from './render/omi-element.ts';
import { Alarm } from './timing/alarm.ts';

const properties = ['confirmation', 'path', 'texts'] as const;

/** Shows the QR code that sets up a device, and the link itself, and waits until a device has used it. */
export class OmiEnrolmentElement extends OmiElement {
  static override readonly observedAttributes = [...OmiElement.observedAttributes, 'confirmation'];

  readonly #parts = new Parts(() => this.start());
  readonly #alarm = new Alarm();
  #state: State = initial;
  #isOpen = false;
  #texts: Partial<EnrolmentTexts> = {};

  constructor() {
    super(css);
    this.root.append(this.#parts.box);
  }

  /** What happens now: `starting`, `waiting`, `completed`, `expired` or `stopped`. */
  get state(): State['step']['at'] {
    return this.#state.step.at;
  }
  /** The id of the confirmation that allows a further device. */
  get confirmation(): string | null {
    return this.getAttribute('confirmation');
  }
  set confirmation(id: string | null | undefined) {
    if (id === null || id === undefined) this.removeAttribute('confirmation');
    else this.setAttribute('confirmation', id);
  }
  /** Sentences in place of the element's own. */
  get texts(): Partial<EnrolmentTexts> {
    return this.#texts;
  }
  set texts(texts: Partial<EnrolmentTexts>) {
    this.#texts = texts;
    this.#refresh();
  }

  /** Asks the website for a new code. */
  start(): void {
    this.#isOpen = true;
    this.#take({ type: 'opened' });
  }

  connectedCallback(): void {
    this.upgrade(properties);
    addEventListener('pageshow', this.#return);
    this.watch();
    this.#refresh();
  }

  disconnectedCallback(): void {
    // An element that is only moved is connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      removeEventListener('pageshow', this.#return);
      this.#isOpen = false;
      this.#alarm.clear();
      this.unwatch();
      this.#take({ type: 'closed' });
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    if (name === 'lang') this.#refresh();
    else if (this.#isOpen) this.start();
  }

  protected appear(): void {
    if (!this.#isOpen) this.start();
  }

  #take(message: Message): void {
    const [state, effects] = update(this.#state, message, performance.now());
    this.#state = state;
    for (const effect of effects) this.#run(effect);
    this.#refresh();
  }

  #run(effect: Effect): void {
    switch (effect.type) {
      case 'start':
        this.#alarm.clear();
        void this.#begin(effect.run);
        break;
      case 'look':
        this.#alarm.set(effect.afterMs, () => void this.#look(effect.id));
        break;
      case 'enrolled':
        this.tell('omi-enrolled', { device: effect.device });
        break;
      case 'problem':
        this.tell('omi-problem', { code: effect.code });
        break;
    }
  }

  async #begin(run: number): Promise<void> {
    const body = JSON.stringify({ confirmation: this.confirmation ?? undefined });
    const call = { url: this.url('enrolments'), method: 'POST', body } as const;
    // A link with another scheme could run code.
    const { body: started, refusal } = await exchange<Started & { brand?: Brand }>(
      call,
      ({ id, link = '', expiresInMs = -1, account = '' }) =>
        id !== undefined && /^https?:\/\//.test(link) && expiresInMs >= 0 && typeof account === 'string',
    );
    if (started) this.color(started.brand);
    this.#take(started ? { type: 'started', run, started } : { type: 'not-started', run, refusal });
  }

  async #look(id: string): Promise<void> {
    const url = this.url(`enrolments/${encodeURIComponent(id)}`);
    const { body: look, refusal } = await exchange<Look>({ url }, ({ status }) => status !== undefined);
    this.#take(look ? { type: 'looked', id, look } : { type: 'not-looked', id, refusal });
  }

  #refresh(): void {
    if (this.isConnected) this.redraw();
  }

  protected draw(): void {
    const known = dictionary.of(this.language, () => this.#refresh());
    if (!known) return;
    const texts = { ...known, ...this.#texts };
    const view = viewOf(this.#state, texts, performance.now());
    this.#parts.draw(view, texts);
    this.internals.ariaLabel = texts.label;
    this.tick(view.clock);
  }

  readonly #return = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.#take({ type: 'returned' });
  };
}
