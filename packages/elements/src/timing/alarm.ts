/**
 * Runs something after a pause. In a hidden tab it waits until the tab is shown. It runs at once when the tab is shown again,
 * or the connection is back.
 */
export class Alarm {
  readonly #run: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  set(milliseconds: number): void {
    this.clear();
    document.addEventListener('visibilitychange', this.#wake);
    addEventListener('online', this.#wake);
    this.#timer = setTimeout(this.#wake, milliseconds);
  }

  clear(): void {
    document.removeEventListener('visibilitychange', this.#wake);
    removeEventListener('online', this.#wake);
    clearTimeout(this.#timer);
  }

  readonly #wake = (): void => {
    if (document.hidden) return;
    this.clear();
    this.#run();
  };
}
