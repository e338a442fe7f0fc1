import { kidOfKeyId } from '../keys/signal-keys.ts';
import type { RsaJwk, RsaSigningKey } from '../keys/rsa-signing-key-client.ts';

export type KeyById = { keyId: string; key: Pick<RsaSigningKey, 'jwk'> };

/** The keys that verify signals. Each is read once, because a key of KMS never changes. After a failure the next call reads again. */
export function signalKeySet(keys: readonly KeyById[]): () => Promise<RsaJwk[]> {
  let read: Promise<RsaJwk[]> | undefined;
  return async () => {
    read ??= Promise.all(keys.map(async ({ keyId, key }) => await key.jwk(kidOfKeyId(keyId)))).catch(
      (error: unknown) => {
        read = undefined;
        throw error;
      },
    );
    return await read;
  };
}
