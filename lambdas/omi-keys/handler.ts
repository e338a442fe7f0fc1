import type { Handler } from '../../core/http/api-lambda.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { minutes } from '../../core/kernel/time.ts';
import { publishedKeyView, type PublishedKey } from '../../core/keys/published-key.ts';
import type { PublishedKeyStore } from '../../core/keys/published-key-store.ts';

export type Deps = { keys: Pick<PublishedKeyStore, 'list'> };

/** Callers may keep the document for five minutes more. Anyone may call, so the calls must not cost a read each. */
const keptFor = 1 * minutes;

/** Every key that ever signed for the service, with the time in which it did. */
export function createHandler({ keys }: Deps): Handler {
  let read: { keys: PublishedKey[]; at: number } | undefined;
  return async () => {
    const now = Date.now();
    if (!read || now - read.at >= keptFor) read = { keys: await keys.list(), at: now };
    return json(200, { keys: read.keys.map(publishedKeyView) }, cacheable);
  };
}
