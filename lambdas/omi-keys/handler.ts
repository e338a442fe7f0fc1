import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { publishedKeyView } from '../../core/keys/published-key.ts';
import type { PublishedKeyStore } from '../../core/keys/published-key-store.ts';
import { recordedKeys } from '../../core/keys/recorded-keys.ts';

export type Deps = { keys: Pick<PublishedKeyStore, 'list'> };

/** Every key that ever signed for the service, with the time in which it did. */
export function createHandler({ keys }: Deps): Handler {
  const recorded = recordedKeys(keys);
  return async () => json(200, { keys: (await recorded()).map(publishedKeyView) }, cacheable);
}
