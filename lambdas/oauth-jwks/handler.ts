import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { verifiesTokens } from '../../core/keys/published-key.ts';
import type { PublishedKeyStore } from '../../core/keys/published-key-store.ts';
import { recordedKeys } from '../../core/keys/recorded-keys.ts';

export type Deps = { keys: Pick<PublishedKeyStore, 'list'> };

/**
 * The keys that verify the service's tokens, as a JWK set (RFC 7517, section 5). They come from the record, not from KMS: a
 * key that KMS cannot tell any more hides no other.
 */
export function createHandler({ keys }: Deps): Handler {
  const recorded = recordedKeys(keys);
  return async () => {
    const current = (await recorded()).filter(verifiesTokens);
    return json(200, { keys: current.map(({ jwk }) => jwk) }, cacheable);
  };
}
