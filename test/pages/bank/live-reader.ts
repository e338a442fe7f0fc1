import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../../pages/bank/server/live/redact.ts';

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
    const headers = { cookie, ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }) };
    // Not with `fetch`, which in tests reads every answer to its end.
    const sent = request(`${siteUrl}/bank/live`, {
      headers,
      signal: reader.#closing.signal,
      agent: false,
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined);
    if (response.headers['content-type'] !== 'text/event-stream') {
      reader.close();
      throw new Error(`No live view: ${response.statusCode}`);
    }
    void reader.#read(response);
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

  async #read(body: IncomingMessage): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
        const blocks = (rest + chunk).split('\n\n');
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
