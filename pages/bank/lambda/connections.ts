import { type Connection, parseConnection } from './connection.ts';

export type ConnectionsOptions = { readSecret: () => Promise<string>; now?: () => number };

const lifetimeMs = 60_000;

type Read = { connection: Connection; text: string; until: number };

/** The connection of the secret, read again each minute: `omi demo connect` may have changed it. */
export class Connections {
  readonly #readSecret: () => Promise<string>;
  readonly #now: () => number;
  #read: Read | undefined;

  constructor({ readSecret, now = Date.now }: ConnectionsOptions) {
    this.#readSecret = readSecret;
    this.#now = now;
  }

  /**
   * The same object while the secret says the same.
   *
   * @returns undefined if the demo bank is not connected yet
   */
  async current(): Promise<Connection | undefined> {
    if (this.#read && this.#read.until > this.#now()) return this.#read.connection;
    const text = await this.#textOfSecret();
    const known = this.#read?.text === text ? this.#read.connection : undefined;
    const connection = known ?? parseConnection(text);
    this.#read = connection && { connection, text, until: this.#now() + lifetimeMs };
    return connection;
  }

  /** A new secret has no value, which Secrets Manager answers like a missing secret. */
  async #textOfSecret(): Promise<string> {
    try {
      return await this.#readSecret();
    } catch (error) {
      if (this.#read) return this.#read.text;
      if (error instanceof Error && 'code' in error && error.code === '400') return '';
      throw error;
    }
  }
}
