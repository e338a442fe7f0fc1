import { create, foreign, say, show } from '../render/dom.ts';
import { Frame } from '../render/frame.ts';
import type { Device } from './state.ts';
import type { ConfirmationTexts } from './texts/texts.ts';
import type { View } from './view.ts';

export type Wishes = {
  start: () => void;
  cancel: () => void;
  withdrawOther: () => void;
  choose: (deviceId: string) => void;
  app: () => void;
};

/** The shadow tree. It is made once, so that nothing loses the focus or is read out again when only a part changes. */
export class Parts {
  readonly #message = create('blockquote', { part: 'message', tabindex: '0' });
  readonly #codeLabel = create('span');
  readonly #code = create('strong', { part: 'code' });
  readonly #codeLine = create('div', { class: 'code' }, this.#codeLabel, this.#code);
  readonly #hint = create('p', { class: 'hint' });
  readonly #legend = create('legend');
  readonly #devices = create('fieldset', { part: 'devices' });
  readonly #slot = create('slot', { name: 'no-device' });
  /** In another tab, where there are tabs: the page goes on in its own. */
  readonly #app = create('a', { part: 'button app', target: '_blank' });
  readonly #cancel = create('button', { part: 'button cancel', type: 'button' });
  readonly #withdrawOther = create('button', { part: 'button withdraw-other', type: 'button' });
  readonly #frame: Frame;
  #shown: readonly Device[] = [];

  constructor({ start, cancel, withdrawOther, choose, app }: Wishes) {
    this.#frame = new Frame(
      start,
      [this.#message, this.#codeLine, this.#hint],
      [this.#devices, this.#slot],
      [this.#app, this.#cancel, this.#withdrawOther],
    );
    this.#cancel.addEventListener('click', ({ detail }) => detail < 2 && cancel());
    this.#withdrawOther.addEventListener('click', ({ detail }) => detail < 2 && withdrawOther());
    this.#app.addEventListener('click', app);
    this.#devices.addEventListener('change', ({ target }) => {
      choose((target as HTMLInputElement).value);
    });
  }

  get box(): HTMLElement {
    return this.#frame.box;
  }

  /** @param isDisabled true if the element is in a disabled form */
  draw(view: View, texts: ConfirmationTexts, deviceId: string | undefined, isDisabled: boolean): void {
    const { message = '', code, appUrl, choices = [], needsDevice = false } = view;
    this.#frame.draw(view, texts[view.says], isDisabled);
    say(this.#message, message && '{message}', { message });
    say(this.#codeLabel, code && texts.code);
    say(this.#code, code);
    say(this.#hint, view.hint);
    this.#drawChoices(choices, texts, deviceId);
    this.#devices.disabled = isDisabled;
    show(this.#slot, needsDevice);
    if (appUrl) this.#app.href = appUrl;
    say(this.#app, appUrl && texts.app);
    say(this.#cancel, view.canCancel ? texts.cancel : '');
    this.#cancel.disabled = isDisabled;
    say(this.#withdrawOther, view.canWithdrawOther ? texts.withdrawOther : '');
    this.#withdrawOther.disabled = isDisabled;
  }

  #drawChoices(devices: readonly Device[], texts: ConfirmationTexts, chosen: string | undefined): void {
    say(this.#legend, texts.choose);
    show(this.#devices, devices.length > 0);
    if (devices !== this.#shown && devices.length > 0) {
      this.#shown = devices;
      this.#devices.replaceChildren(this.#legend, ...devices.map((device) => labelOf(device, texts.openApp)));
    }
    for (const input of this.#devices.querySelectorAll('input')) input.checked = input.value === chosen;
  }
}

function labelOf({ deviceId, name, status }: Device, openApp: string): HTMLElement {
  const input = create('input', { type: 'radio', name: 'device', value: deviceId });
  const hint = status === 'active' || openApp === '' ? [] : [' ', create('small', {}, `(${openApp})`)];
  return create('label', { part: 'device' }, input, create('span', {}, foreign(name), ...hint));
}
