import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import type { ProviderMetadata } from '../../core/openid/provider-metadata.ts';

/** OpenID Connect Discovery 1.0, section 4. The answer changes only with a deployment. */
export const createHandler =
  (metadata: ProviderMetadata): Handler =>
  async () =>
    await Promise.resolve(json(200, metadata, cacheable));
