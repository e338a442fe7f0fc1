import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { PublishedKeyStore } from '../../../core/keys/published-key-store.ts';
import { publishKeys } from '../../../core/keys/publish-keys.ts';
import { PublicKey } from '../../../core/keys/signing-key-client.ts';
import type { KeyUse } from '../../../core/keys/key-use.ts';
import { localKeys } from '../resources/kms-keys.ts';
import { localTables } from '../resources/tables.ts';
import { using } from './aws-access.ts';

/** Names of the keys that sign, by what they sign. */
export type SigningKids = Record<KeyUse, string>;

type Options = { region: string; endpoints: Record<'kms', string> };

/** Records the public keys, as a deployment does. The keys and the tables must exist. */
export async function recordKeys(
  { region, endpoints }: Options,
  client: DynamoDBDocumentClient,
): Promise<SigningKids> {
  const credentials = { accessKeyId: 'SEED', secretAccessKey: 'local' };
  const [token, receipt, log] = await using(
    new KMSClient({ region, credentials, endpoint: endpoints.kms }),
    async (kms) =>
      await Promise.all([
        new PublicKey(kms, localKeys.signing, 'token').jwk(),
        new PublicKey(kms, localKeys.receipts, 'receipt').jwk(),
        new PublicKey(kms, localKeys.log, 'log').jwk(),
      ]),
  );
  const current = [
    { for: 'token', jwk: token },
    { for: 'receipt', jwk: receipt },
    { for: 'log', jwk: log },
  ] as const;
  await publishKeys(new PublishedKeyStore(client, localTables.tenants), current, Date.now());
  return { token: token.kid, receipt: receipt.kid, log: log.kid };
}
