import { randomUUID } from 'node:crypto';

/** A push that a browser has not acknowledged. */
export type Message = { id: string; headers: Record<string, string>; body: Buffer; until: number };

type Channel = { browser: string; key: string | undefined };

/** Sends a message to a connected browser. */
type Connection = (channelId: string, message: Message) => void;

/** The subscriptions of the browsers that use this push service, and what waits for them. */
export class Subscriptions {
  readonly #channels = new Map<string, Channel>();
  readonly #ended = new Set<string>();
  readonly #waiting = new Map<string, Message[]>();
  readonly #connections = new Map<string, Connection>();

  /** @returns the browser's id: a new one unless this service knows the given one */
  connect(browser: string | undefined, connection: Connection): string {
    const isKnown = [...this.#channels.values()].some((channel) => channel.browser === browser);
    const id = browser !== undefined && isKnown ? browser : randomUUID().replaceAll('-', '');
    this.#connections.set(id, connection);
    return id;
  }

  /** Sends what has been waiting for the browser. */
  deliverWaiting(browser: string): void {
    for (const [channelId, channel] of this.#channels) {
      if (channel.browser !== browser) continue;
      for (const message of this.#current(channelId)) this.#connections.get(browser)?.(channelId, message);
    }
  }

  disconnect(browser: string, connection: Connection): void {
    if (this.#connections.get(browser) === connection) this.#connections.delete(browser);
  }

  register(channelId: string, channel: Channel): void {
    this.#ended.delete(channelId);
    this.#channels.set(channelId, channel);
  }

  unregister(channelId: string): void {
    this.#channels.delete(channelId);
    this.#waiting.delete(channelId);
    this.#ended.add(channelId);
  }

  /** Whether a browser ended the subscription. Ids that no browser registered are valid, too. */
  isEnded(channelId: string): boolean {
    return this.#ended.has(channelId);
  }

  /** The application server's key that the subscription is bound to. */
  keyOf(channelId: string): string | undefined {
    return this.#channels.get(channelId)?.key;
  }

  push(channelId: string, message: Message): void {
    const channel = this.#channels.get(channelId);
    if (!channel) return;
    // RFC 8030, section 5.4: a message replaces the waiting one with the same topic.
    const others = this.#current(channelId).filter(
      ({ headers }) => headers['topic'] === undefined || headers['topic'] !== message.headers['topic'],
    );
    this.#waiting.set(channelId, [...others, message]);
    this.#connections.get(channel.browser)?.(channelId, message);
  }

  acknowledge(channelId: string, messageId: string): void {
    this.#waiting.set(
      channelId,
      this.#current(channelId).filter(({ id }) => id !== messageId),
    );
  }

  #current(channelId: string): Message[] {
    return (this.#waiting.get(channelId) ?? []).filter(({ until }) => until > Date.now());
  }
}
