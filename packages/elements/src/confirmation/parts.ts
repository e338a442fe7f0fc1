import { create, foreign, say, show } from '../render/dom.ts';
import { Icon } from '../render/icons.ts';
import type { Device } from './state.ts';
import type { ConfirmationTexts } from './texts/texts.ts';
import type { View } from './view.ts';

export type Wishes = { start: () => void; cancel: () => void; choose: (deviceId: string) => void };

/** The shadow tree. It is made once, so that nothing loses the focus or is read out again when only a part changes. */
export class Parts {
  readonly box: HTMLElement;
  readonly #icon = new Icon();
  readonly #title = create('p', { part: 'title' });
  readonly #text = create('p', { part: 'text' });
  readonly #message = create('p', { part: 'message', tabindex: '0' });
  readonly #codeLabel = create('span');
  readonly #code = create('strong');
  readonly #codeLine = create('p', { part: 'code' }, this.#codeLabel, this.#code);
  readonly #hint = create('p', { class: 'hint' });
  readonly #legend = create('legend');
  readonly #devices = create('fieldset', { part: 'devices' }, this.#legend);
  readonly #slot = create('slot', { name: 'no-device' });
  readonly #clock = create('p', { part: 'countdown', role: 'timer' });
  readonly #cancel = create('button', { part: 'button cancel', type: 'button' });
  readonly #start = create('button', { part: 'button start', type: 'button' });
  #shown: readonly Device[] = [];

  constructor({ start, cancel, choose }: Wishes) {
    const status = create(
      'div',
      { role: 'status', part: 'status' },
      this.#title,
      this.#text,
      this.#message,
      this.#codeLine,
      this.#hint,
    );
    const content = create('div', { part: 'content' }, status, this.#devices, this.#slot);
    const footer = create('div', { class: 'footer', part: 'footer' }, this.#clock, this.#cancel, this.#start);
    this.box = create('div', { part: 'box', tabindex: '-1' }, this.#icon.element, content, footer);
    // The second click of a double click is no answer to what has appeared after the first.
    this.#start.addEventListener('click', ({ detail }) => detail < 2 && start());
    this.#cancel.addEventListener('click', ({ detail }) => detail < 2 && cancel());
    this.#devices.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) choose(target.value);
    });
  }

  /** @param isDisabled true if the element is in a disabled form */
  draw(view: View, texts: ConfirmationTexts, deviceId: string | undefined, isDisabled: boolean): void {
    this.box.className = `box confirmation ${view.tone}${view.isBusy ? ' busy' : ''}`;
    this.box.setAttribute('aria-busy', String(view.isBusy && view.message === ''));
    this.#icon.draw(view.icon, view.share);
    say(this.#title, view.title, view.values);
    say(this.#text, view.text, view.values);
    say(this.#message, view.message && '{message}', { message: view.message });
    say(this.#codeLabel, view.code && texts.code);
    say(this.#code, view.code);
    show(this.#codeLine, view.code !== '');
    say(this.#hint, view.hint);
    say(this.#clock, view.clock, view.values);
    say(this.#legend, texts.choose);
    this.#drawChoices(view.choices, texts, deviceId, isDisabled);
    show(this.#slot, view.needsDevice);
    say(this.#cancel, view.canCancel ? texts.cancel : '');
    say(this.#start, view.start);
    this.#cancel.disabled = isDisabled;
    this.#start.disabled = isDisabled || view.isStartBlocked;
  }

  #drawChoices(
    devices: readonly Device[],
    { openApp }: ConfirmationTexts,
    chosen: string | undefined,
    isDisabled: boolean,
  ): void {
    show(this.#devices, devices.length > 0);
    this.#devices.disabled = isDisabled;
    if (devices !== this.#shown && devices.length > 0) {
      const labels = devices.map(({ deviceId, name, isReachable }) => {
        const input = create('input', { type: 'radio', name: 'device', value: deviceId });
        const hint = isReachable ? [] : [' ', create('small', {}, `(${openApp})`)];
        return create('label', { part: 'device' }, input, create('span', {}, foreign(name), ...hint));
      });
      this.#devices.replaceChildren(this.#legend, ...labels);
      this.#shown = devices;
    }
    for (const input of this.#devices.querySelectorAll('input')) input.checked = input.value === chosen;
  }
}
