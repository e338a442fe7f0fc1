import { createHash } from 'node:crypto';
import type { OpenedSecrets } from '../../../outbound/opened-secrets.ts';
import { post, type OutboundAnswer } from '../../../outbound/post.ts';
import { signatureHeaders } from '../../../outbound/webhook-signature.ts';
import { seconds } from '../../../kernel/time.ts';
import { webhookContext, type WebhookDestination } from './record.ts';
import type { Target } from '../../targets/target.ts';
import { SecretUnavailable } from './webhook-faults.ts';

export type WebhookTarget = Target & { destination: WebhookDestination };

type CallOptions = {
  signal?: AbortSignal;
  readsBody?: boolean;
  excerptsRefusals?: boolean;
  contentType?: string;
};

/** Milliseconds for a call. */
const longestCallMs = 10 * seconds;

/** The same body has the same id, so a receiver knows a repetition. */
const idOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url');

/** Makes signed calls of tenants' receivers. */
export class WebhookCaller {
  readonly #secrets: Pick<OpenedSecrets, 'open'>;
  readonly #allowsLoopback: boolean;

  constructor(secrets: Pick<OpenedSecrets, 'open'>, allowsLoopback: boolean) {
    this.#secrets = secrets;
    this.#allowsLoopback = allowsLoopback;
  }

  /**
   * @throws {SecretUnavailable} before the call
   * @throws what the connection ended with
   */
  async call(
    target: Pick<WebhookTarget, 'tenantId' | 'category' | 'destination' | 'webhookSecrets'>,
    body: Uint8Array,
    { signal, readsBody, excerptsRefusals, contentType = 'application/json' }: CallOptions = {},
  ): Promise<OutboundAnswer> {
    const secrets = await this.#open(target);
    const limit = AbortSignal.timeout(longestCallMs);
    return await post({
      url: new URL(target.destination.url),
      headers: {
        'content-type': contentType,
        'content-length': String(body.length),
        'user-agent': 'OMI',
        ...signatureHeaders({ id: idOf(body), body, secrets }, Date.now()),
      },
      body,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      allowsLoopback: this.#allowsLoopback,
      readsBody,
      excerptsRefusals,
    });
  }

  async #open({
    webhookSecrets = [],
    ...ref
  }: Pick<WebhookTarget, 'tenantId' | 'category' | 'webhookSecrets'>): Promise<string[]> {
    if (webhookSecrets.length === 0) throw new SecretUnavailable('The webhook has no secret');
    const context = webhookContext(ref);
    try {
      return await Promise.all(
        webhookSecrets.map(async ({ sealed }) => await this.#secrets.open(sealed, context)),
      );
    } catch (cause) {
      throw new SecretUnavailable('The secret could not be opened', { cause });
    }
  }
}
