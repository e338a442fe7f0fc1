import { create, say, show } from '../render/dom.ts';
import { Icon } from '../render/icons.ts';
import { qrCode } from './qr-code.ts';
import type { EnrolmentTexts } from './texts/texts.ts';
import type { View } from './view.ts';

/** The shadow tree. It is made once, so that nothing loses the focus or is read out again when only a part changes. */
export class Parts {
  readonly box: HTMLElement;
  readonly #icon = new Icon();
  readonly #title = create('p', { part: 'title' });
  readonly #text = create('p', { part: 'text' });
  readonly #place = create('div', { class: 'place' });
  readonly #link = create('a', { part: 'link', rel: 'noopener noreferrer', target: '_blank' });
  readonly #clock = create('p', { part: 'countdown', role: 'timer' });
  readonly #start = create('button', { part: 'button start', type: 'button' });
  #shown = '';

  constructor(start: () => void) {
    const status = create('div', { role: 'status', part: 'status' }, this.#title, this.#text);
    const content = create('div', { part: 'content' }, status, this.#place);
    const footer = create('div', { class: 'footer', part: 'footer' }, this.#clock, this.#link, this.#start);
    this.box = create('div', { part: 'box', tabindex: '-1' }, this.#icon.element, content, footer);
    this.#start.addEventListener('click', ({ detail }) => detail < 2 && start());
  }

  draw(view: View, texts: EnrolmentTexts): void {
    this.box.className = `box enrolment ${view.tone}${view.isBusy ? ' busy' : ''}`;
    this.#icon.draw(view.icon, view.share);
    say(this.#title, view.title, view.values);
    say(this.#text, view.text, view.values);
    say(this.#clock, view.clock, view.values);
    say(this.#link, view.link && texts.open);
    say(this.#start, view.start);
    this.#start.disabled = view.isStartBlocked;
    show(this.#place, view.link !== '');
    if (view.link === this.#shown) return;
    this.#shown = view.link;
    if (view.link === '') {
      this.#place.replaceChildren();
      this.#link.removeAttribute('href');
    } else {
      this.#place.replaceChildren(qrCode(view.link, texts.code));
      this.#link.href = view.link;
    }
  }
}
