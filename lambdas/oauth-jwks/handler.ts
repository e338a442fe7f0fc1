import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import type { PublicKey } from '../../core/keys/signing-key-client.ts';

export type Deps = { keys: readonly Pick<PublicKey, 'jwk'>[] };

/** The keys that verify the service's tokens, as a JWK set (RFC 7517, section 5). */
export const createHandler =
  ({ keys }: Deps): Handler =>
  async () => {
    const published = await Promise.all(keys.map(async (key) => await key.jwk()));
    return json(200, { keys: published }, cacheable);
  };
