type Guard = {
  /** The user wants to submit, and the page's own validation has let the form pass. */
  asks: () => void;
  /** True if the form may go: what it says is confirmed, and was not sent before. */
  canPass: () => boolean;
  passed: () => void;
  /** True while the element takes no part in the form. */
  isOut: () => boolean;
  /** Lets the form be validated as if the element was not there. */
  validate: (run: () => boolean) => boolean;
};

/** Clicks in this time belong to the click that has sent the form. */
const secondClickMs = 600;
/** A form that a browser sends leads to another page, as a rule. */
const navigationMs = 5_000;

/**
 * Holds back the submits of a form until they are confirmed.
 *
 * It listens in the capturing phase at the root, so that no listener of the page (of React and Vue, too) sees a submit that is
 * held back. The page sees one submit event: the confirmed one.
 */
export class FormGuard {
  readonly form: HTMLFormElement;
  readonly #root: Node;
  readonly #guard: Guard;
  readonly #hadNoValidate: boolean;
  #takesOver = false;
  #submitter: HTMLElement | null = null;
  #blocked: readonly HTMLButtonElement[] = [];
  #quietUntil = 0;

  constructor(form: HTMLFormElement, guard: Guard) {
    this.form = form;
    this.#root = form.getRootNode();
    this.#guard = guard;
    this.#hadNoValidate = form.noValidate;
    this.#root.addEventListener('submit', this.#hold, { capture: true });
  }

  watches(form: HTMLFormElement | null): boolean {
    return form === this.form && form.getRootNode() === this.#root;
  }

  release(): void {
    this.takeOver(false);
    this.block(false);
    this.#root.removeEventListener('submit', this.#hold, { capture: true });
  }

  /**
   * A required element without a value makes its form invalid. A browser would refuse the submit without an event, and nobody
   * would be asked. So the guard validates the other fields itself, when the form is submitted.
   */
  takeOver(takesOver: boolean): void {
    if (takesOver === this.#takesOver) return;
    this.#takesOver = takesOver;
    this.form.noValidate = takesOver || this.#hadNoValidate;
  }

  /** True if the form has a button that submits it. */
  hasButton(): boolean {
    return this.#buttons().length > 0;
  }

  /**
   * Disables the buttons that submit the form while a press would do nothing, but not those that the page has disabled.
   *
   * @returns true if one of them had the focus
   */
  block(isBlocked: boolean): boolean {
    if (isBlocked === this.#blocked.length > 0) return false;
    const blocked = isBlocked ? this.#buttons().filter(({ disabled }) => !disabled) : [];
    const hadFocus = blocked.some((button) => button.matches(':focus'));
    for (const button of isBlocked ? blocked : this.#blocked) button.disabled = isBlocked;
    this.#blocked = blocked;
    return hadFocus;
  }

  /** What the form says, without files and the field of this name. */
  body(without: string): URLSearchParams {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(this.form))
      if (typeof value === 'string' && name !== without) body.append(name, value);
    const { name = '', value = '' } = (this.#submitter ?? {}) as { name?: string; value?: string };
    if (name !== '') body.append(name, value);
    return body;
  }

  /** Submits the form as the user did. */
  submit(): void {
    // A disabled button would not be sent.
    this.block(false);
    const submitter = this.#submitter as HTMLButtonElement | null;
    const isOurs = submitter?.isConnected === true && submitter.form === this.form;
    this.form.requestSubmit(isOurs ? submitter : undefined);
  }

  #buttons(): HTMLButtonElement[] {
    const controls = [...this.form.elements] as HTMLButtonElement[];
    return controls.filter(({ type }) => type === 'submit');
  }

  readonly #hold = (event: Event): void => {
    if (event.target !== this.form || event.defaultPrevented || this.#guard.isOut()) return;
    const { submitter } = event as SubmitEvent;
    const isQuiet = performance.now() < this.#quietUntil;
    if (!isQuiet) this.#submitter = submitter;
    const isValid = !isQuiet && this.#isValid(submitter);
    if (isValid && this.#guard.canPass()) {
      this.#pass(event);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isValid) this.#guard.asks();
  };

  #pass(event: Event): void {
    const now = performance.now();
    this.#quietUntil = now + navigationMs;
    this.#guard.passed();
    setTimeout(() => {
      if (event.defaultPrevented) this.#quietUntil = now + secondClickMs;
    });
  }

  #isValid(submitter: HTMLElement | null): boolean {
    if (!this.#takesOver || this.#hadNoValidate || submitter?.hasAttribute('formnovalidate')) return true;
    return this.#guard.validate(() => this.form.reportValidity());
  }
}
