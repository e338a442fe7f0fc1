import { create, say } from './dom.ts';
import { Icon, type Tone } from './icon.ts';

type Shown = {
  values: Record<string, string>;
  tone: Tone;
  share: number;
  clock?: string;
  start?: string;
  isStartBlocked?: boolean;
  isBusy?: boolean;
  isIdle?: boolean;
  isRoomy?: boolean;
};

/** What both elements have: icon, title, text, clock, and the button that starts. */
export class Frame {
  readonly #icon = new Icon();
  readonly #title = create('b', { part: 'title' });
  readonly #text = create('p', { part: 'text' });
  readonly #clock = create('p', { part: 'countdown', class: 'clock', role: 'timer' });
  readonly #start = create('button', { part: 'button start', class: 'start', type: 'button' });
  readonly box: HTMLElement;

  /**
   * @param question the text that screen readers read when it changes
   * @param content stands below it
   * @param actions stand before the button that starts
   */
  constructor(start: () => void, question: Element[], content: Element[], actions: Element[]) {
    this.box = create(
      'div',
      { part: 'box', tabindex: '-1' },
      create(
        'div',
        { part: 'content', class: 'content' },
        create(
          'div',
          { role: 'status', part: 'status' },
          create('div', { class: 'head' }, this.#icon.element, this.#title),
          this.#text,
          ...question,
        ),
        ...content,
      ),
      create('div', { class: 'footer', part: 'footer' }, this.#clock, ...actions, this.#start),
    );
    // The second click of a double click is no answer to what has appeared after the first.
    this.#start.addEventListener('click', ({ detail }) => detail < 2 && start());
  }

  draw(shown: Shown, [title, text]: readonly [string, string], isDisabled: boolean): void {
    const { values, tone, share, clock, start, isStartBlocked = false, isBusy, isIdle, isRoomy } = shown;
    const looks = [tone, isBusy && 'busy', isIdle && 'idle', isRoomy && 'roomy'].filter(Boolean);
    this.box.className = `box ${looks.join(' ')}`;
    this.#icon.draw(tone, share);
    say(this.#title, title, values);
    say(this.#text, text, values);
    say(this.#clock, clock, values);
    say(this.#start, start);
    this.#start.disabled = isDisabled || isStartBlocked;
  }
}
