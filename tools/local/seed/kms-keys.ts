import {
  CreateAliasCommand,
  CreateKeyCommand,
  type CreateKeyCommandInput,
  DescribeKeyCommand,
  KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms';
import { localKeys } from '../resources/kms-keys.ts';
import { using } from './aws-access.ts';

const kinds = [
  { alias: localKeys.secrets, KeyUsage: 'ENCRYPT_DECRYPT', KeySpec: 'SYMMETRIC_DEFAULT' },
  { alias: localKeys.receipts, KeyUsage: 'SIGN_VERIFY', KeySpec: 'ECC_NIST_P256' },
  { alias: localKeys.signals, KeyUsage: 'SIGN_VERIFY', KeySpec: 'RSA_2048' },
  { alias: localKeys.log, KeyUsage: 'SIGN_VERIFY', KeySpec: 'ECC_NIST_P256' },
  { alias: localKeys.signing, KeyUsage: 'SIGN_VERIFY', KeySpec: 'ECC_NIST_P256' },
] as const satisfies readonly (CreateKeyCommandInput & { alias: string })[];

async function exists(client: KMSClient, alias: string): Promise<boolean> {
  try {
    await client.send(new DescribeKeyCommand({ KeyId: alias }));
    return true;
  } catch (error) {
    if (error instanceof NotFoundException) return false;
    throw error;
  }
}

async function ensureKey(
  client: KMSClient,
  { alias, ...kind }: CreateKeyCommandInput & { alias: string },
): Promise<void> {
  if (await exists(client, alias)) return;
  const { KeyMetadata } = await client.send(new CreateKeyCommand(kind));
  await client.send(new CreateAliasCommand({ AliasName: alias, TargetKeyId: KeyMetadata?.KeyId }));
}

type Options = { region: string; endpoints: Record<'kms', string> };

/** Makes the service's KMS keys, unless the data folder has them: tokens and secrets depend on them. */
export async function createKmsKeys({ region, endpoints }: Options): Promise<void> {
  const credentials = { accessKeyId: 'SEED', secretAccessKey: 'local' };
  await using(new KMSClient({ region, credentials, endpoint: endpoints.kms }), async (client) => {
    await Promise.all(kinds.map(async (kind) => await ensureKey(client, kind)));
  });
}
