import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import type { RsaJwk } from '../../core/keys/rsa-signing-key-client.ts';

export type Deps = { keys: () => Promise<RsaJwk[]> };

/** The keys that verify signals, as a JWK set (RFC 7517, section 5). */
export const createHandler =
  ({ keys }: Deps): Handler =>
  async () =>
    json(200, { keys: await keys() }, cacheable);
