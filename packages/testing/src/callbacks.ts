import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Site } from './site.ts';

/** What a callback tells: an end of a confirmation or group. */
export type End = { nonce: string; kind: 'confirmation' | 'group'; data: { status: string } };

/** Signs the ends as the service does (Standard Webhooks). */
export class Callbacks {
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;
  readonly #told = new Set<string>();
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** A request for each end that has none yet. */
  requests(ends: readonly End[], url: string): Request[] {
    const untold = ends.filter(({ nonce }) => !this.#told.has(nonce));
    for (const { nonce } of untold) this.#told.add(nonce);
    return untold.map((end) => this.#sign(end, url));
  }

  #sign({ kind, data }: End, url: string): Request {
    const now = this.#site.clock.now();
    const [id, timestamp] = [randomUUID(), String(Math.floor(now / 1000))];
    const type = `${kind}.${data.status}`;
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
    const key = Buffer.from(this.secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return new Request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
  }
}
