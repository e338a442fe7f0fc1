import { FormGuard } from './confirmation/form-guard.ts';
import { markLeft } from './confirmation/left.ts';
import { Parts } from './confirmation/parts.ts';
import { css } from './confirmation/styles.ts';
import {
  initial,
  type Asked,
  type Device,
  type Effect,
  type Look,
  type Message,
  type Outcome,
  type State,
} from './confirmation/state.ts';
import { dictionary } from './confirmation/texts/dictionary.ts';
import type { ConfirmationTexts } from './confirmation/texts/texts.ts';
import { isUnderWay, update } from './confirmation/update.ts';
import { viewOf } from './confirmation/view.ts';
import { exchange } from './http/exchange.ts';
import { type Brand, OmiElement } from './render/omi-element.ts';
import { Alarm } from './timing/alarm.ts';

const properties = ['data', 'deviceId', 'disabled', 'name', 'path', 'required', 'texts'] as const;

/**
 * Asks the user to confirm on one of their devices. In a form it holds back the submit, and submits the form with the
 * confirmation's id as its value.
 */
export class OmiConfirmationElement extends OmiElement {
  static readonly formAssociated = true;
  static override readonly observedAttributes = [
    ...OmiElement.observedAttributes,
    'device-id',
    'name',
    'required',
  ];

  readonly #parts = new Parts({
    start: () => this.#begin(),
    cancel: () => this.cancel(),
    withdrawOther: () => this.#take({ type: 'others-unwanted' }),
    choose: (deviceId) => this.#take({ type: 'chosen', deviceId }),
    // Some browsers open it in place of the page, and the request must stay.
    app: () => removeEventListener('pagehide', this.#leave),
  });
  readonly #alarm = new Alarm();
  #state: State = initial;
  #guard: FormGuard | undefined;
  #value = '';
  #isUsed = false;
  /** The page was left with an open request, and nobody has asked since. */
  #wasLeft = false;
  #isDisabled = false;
  #isOpen = false;
  #data: unknown;
  /** What the user was asked about. */
  #asked = '';
  #texts: Partial<ConfirmationTexts> = {};

  constructor() {
    super(css);
    this.root.append(this.#parts.box);
  }

  get form(): HTMLFormElement | null {
    return this.internals.form;
  }
  get type(): string {
    return this.localName;
  }
  /** The id of the confirmation, once the user has confirmed. */
  get value(): string {
    return this.#value;
  }
  /** What happens now: `loading`, `ready`, `no-device`, `sending`, `pending`, `confirmed`, `ended` or `stopped`. */
  get state(): State['step']['at'] {
    return this.#state.step.at;
  }
  get validity(): ValidityState {
    return this.internals.validity;
  }
  get validationMessage(): string {
    return this.internals.validationMessage;
  }
  get willValidate(): boolean {
    return this.internals.willValidate;
  }
  checkValidity(): boolean {
    return this.internals.checkValidity();
  }
  reportValidity(): boolean {
    return this.internals.reportValidity();
  }

  get name(): string {
    return this.getAttribute('name') ?? 'omi-confirmation';
  }
  set name(name: string) {
    this.setAttribute('name', name);
  }
  get required(): boolean {
    return this.hasAttribute('required');
  }
  set required(isRequired: boolean) {
    this.toggleAttribute('required', isRequired);
  }
  get disabled(): boolean {
    return this.hasAttribute('disabled');
  }
  set disabled(isDisabled: boolean) {
    this.toggleAttribute('disabled', isDisabled);
  }
  /** The device to ask. Without one the user chooses. */
  get deviceId(): string | null {
    return this.getAttribute('device-id');
  }
  set deviceId(deviceId: string | null | undefined) {
    if (deviceId === null || deviceId === undefined) this.removeAttribute('device-id');
    else this.setAttribute('device-id', deviceId);
  }
  /** What to confirm, sent as JSON. Without it the fields of the form are sent. */
  get data(): unknown {
    return this.#data;
  }
  set data(data: unknown) {
    this.#data = data;
  }
  /** Sentences in place of the element's own. */
  get texts(): Partial<ConfirmationTexts> {
    return this.#texts;
  }
  set texts(texts: Partial<ConfirmationTexts>) {
    this.#texts = texts;
    this.#refresh();
  }

  /** Asks the user. Does nothing while a request is open. */
  start(): void {
    if (this.#isDisabled || isUnderWay(this.#state.step)) return;
    if (!this.tell('omi-start', {}, true)) return;
    this.#open();
    this.#wasLeft = false;
    this.#setValue('');
    addEventListener('pagehide', this.#leave);
    this.#take({ type: 'started' });
  }

  /** Withdraws the open request. */
  cancel(): void {
    this.#take({ type: 'cancelled' });
  }

  /** Withdraws an open request, and forgets the result. */
  reset(): void {
    this.#setValue('');
    this.#take({ type: 'reset' });
  }

  connectedCallback(): void {
    this.upgrade(properties);
    addEventListener('pageshow', this.#return);
    addEventListener('omi-enrolled', this.#enrolled);
    this.#watchForm();
    this.watch();
    this.#refresh();
  }

  disconnectedCallback(): void {
    // An element that is only moved is connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      removeEventListener('pagehide', this.#leave);
      removeEventListener('pageshow', this.#return);
      removeEventListener('omi-enrolled', this.#enrolled);
      this.#guard?.release();
      this.#guard = undefined;
      this.#isOpen = false;
      this.reset();
      this.#alarm.clear();
      this.unwatch();
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    if (name === 'device-id' || name === 'path') this.#open(true);
    if (name === 'name') this.#setValue(this.#value);
    this.#refresh();
  }

  formAssociatedCallback(): void {
    this.#watchForm();
    this.#refresh();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabled = isDisabled;
    this.#refresh();
  }

  formResetCallback(): void {
    this.reset();
  }

  /** A confirmation works once, so a browser can only bring back the choice of the device. */
  formStateRestoreCallback(deviceId: string | File | FormData | null): void {
    if (typeof deviceId === 'string') this.#take({ type: 'chosen', deviceId });
  }

  protected appear(): void {
    this.#wasLeft ||= markLeft(false);
    this.#open();
    this.#take({ type: 'seen' });
  }

  /** @param again done before, and now the page names another device or server */
  #open(again = false): void {
    if (this.#isOpen !== again) return;
    this.#isOpen = true;
    this.#take({ type: 'opened', deviceId: this.deviceId ?? undefined });
  }

  /** From the element's own button: in a form the form is validated first. */
  #begin(): void {
    if (this.#guard) this.#guard.submit();
    else this.start();
  }

  #watchForm(): void {
    const { form } = this.internals;
    if (this.#guard?.watches(form)) return;
    this.#guard?.release();
    this.#guard = undefined;
    if (!form || !this.isConnected) return;
    this.#guard = new FormGuard(form, {
      asks: () => this.start(),
      canPass: () => this.#value !== '' && !this.#isUsed && this.#body().toString() === this.#asked,
      passed: () => (this.#isUsed = true),
      isOut: () => this.#isDisabled || !this.isConnected,
      validate: (run) => {
        this.internals.setValidity({});
        const isValid = run();
        this.#validate();
        return isValid;
      },
    });
  }

  #take(message: Message): void {
    const [state, effects] = update(this.#state, message, performance.now());
    this.#state = state;
    for (const effect of effects) this.#run(effect);
    this.#refresh();
  }

  #run(effect: Effect): void {
    switch (effect.type) {
      case 'load-devices':
        void this.#loadDevices();
        break;
      case 'send':
        void this.#send(effect.run, effect.deviceId);
        break;
      case 'look':
        this.#alarm.set(effect.afterMs, () => void this.#look(effect.id));
        break;
      case 'withdraw-others':
        void this.#withdrawOthers(effect.run);
        break;
      case 'withdraw':
        void this.#withdraw(effect.id, effect.isLast);
        break;
      case 'end':
        this.#end(effect.id, effect.outcome);
        break;
      case 'no-device':
        this.tell('omi-no-device');
        break;
      case 'problem':
        this.tell('omi-problem', { code: effect.problem.code });
        break;
    }
  }

  async #loadDevices(): Promise<void> {
    const { body, refusal } = await exchange<{ devices: Device[]; brand?: Brand }>(
      { url: this.url('devices') },
      ({ devices }) => Array.isArray(devices),
    );
    if (body) this.color(body.brand);
    this.#take(body ? { type: 'devices', devices: body.devices } : { type: 'no-devices', refusal });
  }

  async #send(run: number, deviceId: string | undefined): Promise<void> {
    const data = this.#body();
    this.#asked = data.toString();
    const device = deviceId === undefined ? '' : `?device=${encodeURIComponent(deviceId)}`;
    const { body: asked, refusal } = await exchange<Asked>(
      { url: this.url(`confirmations${device}`), method: 'POST', body: data },
      ({ id, message, expiresInMs = -1 }) => id !== undefined && message !== undefined && expiresInMs >= 0,
    );
    this.#take(asked ? { type: 'sent', run, asked } : { type: 'not-sent', run, refusal });
  }

  async #look(id: string): Promise<void> {
    const { body: look, refusal } = await exchange<Look>(
      // Seconds that the server may wait for the user's answer, if it can: less than the patience of `exchange`.
      { url: `${this.#urlOf(id)}?wait=10` },
      ({ status }) => status !== undefined,
    );
    this.#take(look ? { type: 'looked', id, look } : { type: 'refused', id, refusal });
  }

  /** @param isLast true if nobody waits for the answer, as the page is being closed */
  async #withdraw(id: string, isLast: boolean): Promise<void> {
    const call = { url: this.#urlOf(id), method: 'DELETE', keepalive: isLast } as const;
    const { refusal } = await exchange(call);
    if (!isLast) this.#take(refusal ? { type: 'refused', id, refusal } : { type: 'withdrawn', id });
  }

  async #withdrawOthers(run: number): Promise<void> {
    const { refusal } = await exchange({ url: this.url('confirmations'), method: 'DELETE' });
    this.#take(refusal ? { type: 'not-sent', run, refusal } : { type: 'others-withdrawn', run });
  }

  #urlOf(id: string): string {
    return this.url(`confirmations/${encodeURIComponent(id)}`);
  }

  #body(): URLSearchParams | string {
    if (this.#data !== undefined) return JSON.stringify(this.#data);
    return this.#guard?.body(this.name) ?? new URLSearchParams();
  }

  #end(id: string, { status, reason }: Outcome): void {
    if (status === 'confirmed') {
      // What is sent must be what was confirmed. The server compares it, too.
      if (this.#body().toString() !== this.#asked) {
        this.#take({ type: 'form-changed' });
        return;
      }
      this.#setValue(id);
      this.tell('omi-confirmed', { id });
    }
    if (status === 'denied') this.tell('omi-denied', { reason });
    this.tell('omi-ended', { status, reason });
    if (this.#value !== '' && !this.#isDisabled) this.#guard?.submit();
  }

  #setValue(id: string): void {
    this.#value = id;
    this.#isUsed = false;
    this.#validate();
  }

  #validate(): void {
    // By a form's own rules an element without a `name` attribute has no value.
    const entries = new FormData();
    if (this.#value !== '') entries.append(this.name, this.#value);
    this.internals.setFormValue(entries, this.#state.deviceId ?? '');
    const isMissing = this.required && this.#value === '';
    this.#guard?.takeOver(this.required && !this.#isDisabled);
    const { missing } = this.#words() ?? dictionary.english;
    this.internals.setValidity({ valueMissing: isMissing }, missing, this.#parts.box);
  }

  /** Undefined while the language is being loaded. */
  #words(): ConfirmationTexts | undefined {
    const texts = dictionary.of(this.language, () => this.#refresh());
    return texts && { ...texts, ...this.#texts };
  }

  #refresh(): void {
    if (!this.isConnected) return;
    this.#validate();
    this.redraw();
  }

  protected draw(): void {
    const texts = this.#words();
    if (!texts) return;
    const view = viewOf(this.#state, texts, performance.now());
    if (this.#wasLeft && this.state === 'ready') view.says = 'withdrawn';
    // The form's own button starts, also again.
    const shown = this.#guard?.hasButton() === true ? { ...view, start: '' } : view;
    this.#parts.draw(shown, texts, this.#state.deviceId, this.#isDisabled);
    const mustWait = view.isStartBlocked === true && !view.isIdle;
    if (this.#guard?.block(isUnderWay(this.#state.step) || mustWait))
      this.#parts.box.focus({ preventScroll: true });
    this.internals.ariaLabel = texts.label;
    this.tick(view.clock);
  }

  readonly #enrolled = (): void => this.#take({ type: 'enrolled' });

  readonly #leave = (): void => {
    // A browser may restore the page's buttons as they are now.
    this.#guard?.block(false);
    // Without a connection the request stays.
    const { step } = this.#state;
    if (step.at === 'pending' && !step.isLost) markLeft(true);
    this.#take({ type: 'left' });
  };

  readonly #return = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    markLeft(false);
    if (this.#isUsed) this.#setValue('');
    this.#take({ type: 'returned' });
  };
}
