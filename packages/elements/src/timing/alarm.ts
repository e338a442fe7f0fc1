/**
 * Runs something after a pause. In a hidden tab it waits until the tab is shown. It runs at once when the tab is shown again,
 * or the connection is back.
 */
export class Alarm {
  #run: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces what it was set to before. */
  set(milliseconds: number, run: () => void): void {
    this.clear();
    this.#run = run;
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
    this.#run?.();
  };
}
