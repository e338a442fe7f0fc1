import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { kmsClient } from '../../core/aws/kms-client.ts';
import { PublishedKeyStore } from '../../core/keys/published-key-store.ts';
import { PublicKey } from '../../core/keys/signing-key-client.ts';
import { respond } from '../../core/lambda/custom-resource.ts';
import { createHandler } from './handler.ts';

const client = documentClient();
const kms = kmsClient();

export const handler = createHandler({
  storeOf: (table) => new PublishedKeyStore(client, table),
  readKey: async (keyId, use) => await new PublicKey(kms, keyId, use).jwk(),
  respond,
});
