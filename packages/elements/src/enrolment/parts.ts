import { create, say, show, createSvg } from '../render/dom.ts';
import { Frame } from '../render/frame.ts';
import type { EnrolmentTexts } from './texts/texts.ts';
import type { View } from './view.ts';
import { correction, generate } from 'lean-qr/nano';

/** Modules around the code that stay empty, so that a camera finds it. */
const quietZone = 4;

/** The text as a QR code: one path of squares. */
function qrCode(text: string, label: string): SVGElement {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * quietZone;
  let d = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1)
      if (code.get(x, y)) d += `M${x + quietZone} ${y + quietZone}h1v1h-1z`;
  return createSvg(
    'svg',
    { part: 'qr', class: 'qr', role: 'img', 'aria-label': label, viewBox: `0 0 ${side} ${side}` },
    createSvg('path', { d }),
  );
}

/** The shadow tree. It is made once, so that nothing loses the focus or is read out again when only a part changes. */
export class Parts {
  readonly #account = create('p', { part: 'account' });
  readonly #place = create('div');
  readonly #link = create('a', {
    part: 'button link',
    class: 'start',
    rel: 'noopener noreferrer',
    target: '_blank',
  });
  readonly #frame: Frame;
  #drawn: string | undefined;

  constructor(start: () => void) {
    this.#frame = new Frame(start, [this.#account], [this.#place], [this.#link]);
  }

  get box(): HTMLElement {
    return this.#frame.box;
  }

  draw(view: View, texts: EnrolmentTexts): void {
    const { link, account, values } = view;
    this.#frame.draw(view, texts[view.says], false);
    say(this.#account, account, values);
    say(this.#link, link && texts.open);
    show(this.#place, link !== undefined);
    if (link === this.#drawn) return;
    this.#drawn = link;
    this.#place.replaceChildren(...(link === undefined ? [] : [qrCode(link, texts.code)]));
    if (link === undefined) this.#link.removeAttribute('href');
    else this.#link.href = link;
  }
}
