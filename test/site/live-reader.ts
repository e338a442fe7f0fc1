import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../site/server/live/redact.ts';

export type LiveMessage = { id: number; name: string; data: Call & ExportedEvent };
type ExportedEvent = { metadata?: { type: string; eventId: string }; payload?: { userId: string } };

/** A page that listens to `GET /bank/live`, as `EventSource` does. */
export class LiveReader {
  readonly messages: LiveMessage[] = [];
  readonly comments: string[] = [];
  /** Whether the server ended the stream. */
  ended = false;
  readonly #closing = new AbortController();

  static async open(siteUrl: string, cookie = '', lastEventId?: number): Promise<LiveReader> {
    const reader = new LiveReader();
    const response = await fetch(`${siteUrl}/bank/live`, {
      headers: { cookie, ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }) },
      signal: reader.#closing.signal,
    });
    if (response.headers.get('content-type') !== 'text/event-stream' || !response.body)
      throw new Error(`No live view: ${response.status}`);
    void reader.#read(response.body);
    return reader;
  }

  get calls(): LiveMessage['data'][] {
    return this.#dataOf('call');
  }

  get events(): LiveMessage['data'][] {
    return this.#dataOf('event');
  }

  /** The test's own timeout applies. */
  async until(isTrue: (reader: this) => boolean): Promise<void> {
    while (!isTrue(this)) await wait(20);
  }

  close(): void {
    this.#closing.abort();
  }

  #dataOf(wanted: string): LiveMessage['data'][] {
    return this.messages.filter(({ name }) => name === wanted).map(({ data }) => data);
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of body) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
      this.ended = true;
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const data = fields.get('data');
    if (data === undefined) this.comments.push(block);
    else
      this.messages.push({
        id: Number(fields.get('id')),
        name: fields.get('event') ?? '',
        data: JSON.parse(data) as LiveMessage['data'],
      });
  }
}
