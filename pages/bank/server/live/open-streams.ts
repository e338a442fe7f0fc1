/** More windows than anybody looks at. */
const mostOfASession = 6;

/** The live streams that are open, by session: they end with it. */
export class OpenStreams {
  readonly #bySession = new Map<string, Set<AbortController>>();

  /** Beyond the limit the oldest stream of the session ends. */
  open(sessionId: string): AbortController {
    const streams = this.#bySession.get(sessionId) ?? new Set();
    const [oldest] = streams;
    if (streams.size >= mostOfASession) oldest?.abort();
    const opened = new AbortController();
    this.#bySession.set(sessionId, streams.add(opened));
    return opened;
  }

  closed(sessionId: string, stream: AbortController): void {
    const streams = this.#bySession.get(sessionId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#bySession.delete(sessionId);
  }

  close(sessionId: string): void {
    for (const stream of this.#bySession.get(sessionId) ?? []) stream.abort();
  }
}
