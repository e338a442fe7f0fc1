import { exchange } from '../http/exchange.ts';
import { readAsked, readDevices, readPolled } from './answers.ts';
import type { Message } from './state.ts';

/** The calls to the website's server. Each answer is a message. */
export class Server {
  readonly #take: (message: Message) => void;

  constructor(take: (message: Message) => void) {
    this.#take = take;
  }

  async loadDevices(url: string): Promise<void> {
    const { value: devices, refusal } = await exchange({ url }, readDevices);
    this.#take(devices ? { type: 'devices', devices } : { type: 'refused', what: 'devices', refusal });
  }

  async send(url: string, run: number, body: URLSearchParams | string): Promise<void> {
    const { value: sent, refusal } = await exchange({ url, method: 'POST', body }, readAsked);
    this.#take(sent ? { type: 'sent', run, ...sent } : { type: 'not-sent', run, refusal });
  }

  async poll(url: string, id: string): Promise<void> {
    const { value: polled, refusal } = await exchange({ url }, readPolled);
    this.#take(polled ? { type: 'polled', id, ...polled } : { type: 'refused', what: 'poll', refusal });
  }

  /** @param isLast true if nobody waits for the answer, as the page is being closed */
  async withdraw(url: string, id: string, isLast: boolean): Promise<void> {
    const { refusal } = await exchange({ url, method: 'DELETE', keepalive: isLast }, () => true);
    if (isLast) return;
    this.#take(refusal ? { type: 'refused', what: 'withdrawal', refusal } : { type: 'withdrawn', id });
  }
}
