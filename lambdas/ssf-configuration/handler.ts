import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import type { TransmitterMetadata } from '../../core/signals/transmitter-metadata.ts';

/** OpenID Shared Signals Framework 1.0, section 7.2. The answer changes only with a deployment. */
export const createHandler =
  (metadata: TransmitterMetadata): Handler =>
  async () =>
    await Promise.resolve(json(200, metadata, cacheable));
