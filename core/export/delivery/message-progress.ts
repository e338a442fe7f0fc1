/** More than are worked on at about the same time. */
const mostKept = 1_000;

/**
 * How many events of a parked message its receiver has taken: where the message needs several calls, or where it was taken and the
 * target's record could not be written. It is kept in memory: a Lambda that starts anew sends such a message from its beginning, and
 * consumers drop the duplicates.
 */
export class MessageProgress {
  readonly #taken = new Map<string, number>();

  of(messageId: string): number {
    return this.#taken.get(messageId) ?? 0;
  }

  add(messageId: string, events: number): void {
    if (events === 0) return;
    if (this.#taken.size >= mostKept) this.#taken.clear();
    this.#taken.set(messageId, this.of(messageId) + events);
  }

  /** The message does not come again. */
  forget(messageId: string): void {
    this.#taken.delete(messageId);
  }
}
