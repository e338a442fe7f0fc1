/** How the phone of this folder calls: with its faults, unlike the `fetch` of the packages. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { PhoneError } from './phone-error.ts';
import type { Fault } from './faults.ts';

export type Request = { method: string; url: string; headers?: Record<string, string>; body?: string };
export type Answer = { status: number; retryAfter: number; location: string | undefined; body: unknown };

const largestBytes = 1024 * 1024;
const attempts = 4;
const pauseMs = 30;

export class Transport {
  patienceMs = 35_000;
  readonly #has: (fault: Fault) => boolean;

  constructor(has: (fault: Fault) => boolean) {
    this.#has = has;
  }

  /** Repeats the request while its answer is lost. `renew` makes another message for each repetition. */
  async deliver(request: Request, renew: () => Request = () => request): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#try(attempt === 1 ? request : renew());
      if (attempt === attempts || (answer && answer.status < 500 && answer.status !== 429)) {
        if (!answer) throw new PhoneError('network');
        return answer;
      }
      await sleep(Math.max(pauseMs, this.#has('ignores Retry-After') ? 0 : (answer?.retryAfter ?? 0) * 1000));
    }
  }

  /** @returns undefined if no answer came */
  async #try(request: Request): Promise<Answer | undefined> {
    try {
      const answer = await this.#send(request);
      const { status, location } = answer;
      const leads = status >= 300 && status < 400 && location !== undefined;
      return leads && this.#has('follows redirects')
        ? await this.#send({ ...request, url: location })
        : answer;
    } catch (error) {
      if (error instanceof PhoneError) throw error;
      return undefined;
    }
  }

  async #send({ url, method, headers, body }: Request): Promise<Answer> {
    const giveUp = new AbortController();
    const patience = () => setTimeout(() => giveUp.abort(), this.patienceMs);
    let timer = this.#has('waits for headers') ? undefined : patience();
    try {
      const secure = { rejectUnauthorized: !this.#has('accepts any certificate') };
      const options = { method, signal: giveUp.signal, ...secure, ...(headers && { headers }) };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const send = url.startsWith('https:') ? requestHttps : requestHttp;
        send(url, options, resolve).once('error', reject).end(body);
      });
      clearTimeout(timer);
      timer = this.#has('waits for bodies') ? undefined : patience();
      const { statusCode: status = 0, headers: received } = response;
      const retryAfter = Number(received['retry-after'] ?? 0);
      return { status, retryAfter, location: received.location, body: parse(await this.#read(response)) };
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBytes && !this.#has('reads without limit')) throw new PhoneError('unexpected-answer');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
