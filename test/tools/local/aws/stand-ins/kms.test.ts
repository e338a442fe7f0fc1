import { createPublicKey, createHash, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GetPublicKeyCommand,
  type KeySpec,
  type KeyUsageType,
  KMSClient,
  ListKeysCommand,
  SignCommand,
  type SignCommandInput,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kms as protocol } from '../../../../../tools/local/aws/protocols/services.ts';
import { createKms } from '../../../../../tools/local/aws/stand-ins/kms/backend.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

let endpoint: Alone;
let kms: KMSClient;
let folder: string;
let secrets = '';
let signing = '';
let rsa = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-kms-'));
  endpoint = await startAlone(protocol, createKms(join(folder, 'kms.json')).backend);
  kms = new KMSClient(clientOf(endpoint.url));
  secrets = await createKey('ENCRYPT_DECRYPT', 'SYMMETRIC_DEFAULT');
  signing = await createKey('SIGN_VERIFY', 'ECC_NIST_P256');
  rsa = await createKey('SIGN_VERIFY', 'RSA_2048');
});
afterAll(async () => {
  kms.destroy();
  await endpoint.close();
  await rm(folder, { recursive: true });
});

async function createKey(KeyUsage: KeyUsageType, KeySpec: KeySpec): Promise<string> {
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeyUsage, KeySpec }));
  return KeyMetadata?.KeyId ?? '';
}

const message = Buffer.from('header.payload');
const digest = createHash('sha256').update(message).digest();

const sign = async (input: Partial<SignCommandInput> = {}): Promise<Uint8Array> => {
  const { Signature } = await kms.send(
    new SignCommand({
      KeyId: signing,
      Message: digest,
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
      ...input,
    }),
  );
  return Signature ?? new Uint8Array();
};

const publicKey = async (KeyId = signing) => {
  const { PublicKey = new Uint8Array() } = await kms.send(new GetPublicKeyCommand({ KeyId }));
  return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
};

describe('signatures', () => {
  test('verify with the public key, for digests and for messages', async () => {
    const key = await publicKey();
    // Often enough to see numbers of every length in DER.
    const signatures = await Promise.all(Array.from({ length: 60 }, async () => await sign()));
    for (const signature of signatures) expect(verify('sha256', message, key, signature)).toBe(true);
    const raw = await sign({ Message: message, MessageType: 'RAW' });
    expect(verify('sha256', message, key, raw)).toBe(true);
    expect(verify('sha256', Buffer.from('other'), key, raw)).toBe(false);
  });

  test('verify with the public RSA key', async () => {
    const key = await publicKey(rsa);
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    const algorithm = { KeyId: rsa, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' } as const;
    expect(verify('sha256', message, key, await sign(algorithm))).toBe(true);
    const raw = await sign({ ...algorithm, Message: message, MessageType: 'RAW' });
    expect(verify('sha256', message, key, raw)).toBe(true);
    expect(verify('sha256', Buffer.from('other'), key, raw)).toBe(false);
  });

  test.each<[string, () => Partial<SignCommandInput>, string]>([
    ['a digest of another length', () => ({ Message: message }), 'ValidationException'],
    ['another algorithm', () => ({ SigningAlgorithm: 'ECDSA_SHA_384' }), 'InvalidKeyUsageException'],
    ['the algorithm of another key', () => ({ KeyId: rsa }), 'InvalidKeyUsageException'],
    ['an encryption key', () => ({ KeyId: secrets }), 'InvalidKeyUsageException'],
    ['an unknown key', () => ({ KeyId: 'alias/nobody' }), 'NotFoundException'],
  ])('are rejected: %s', async (_, input, name) => {
    await expect(sign(input())).rejects.toMatchObject({ name });
  });
});

const context = { use: 'callback', clientId: 'one' };
const encrypt = async (text: string, KeyId = secrets): Promise<Uint8Array> => {
  const input = { KeyId, Plaintext: Buffer.from(text), EncryptionContext: context };
  const { CiphertextBlob } = await kms.send(new EncryptCommand(input));
  return CiphertextBlob ?? new Uint8Array();
};
const decrypt = async (CiphertextBlob: Uint8Array, EncryptionContext = context, KeyId?: string) => {
  const { Plaintext } = await kms.send(
    new DecryptCommand({ CiphertextBlob, EncryptionContext, ...(KeyId !== undefined && { KeyId }) }),
  );
  return Buffer.from(Plaintext ?? '').toString();
};

describe('encryption', () => {
  test('is opened with the same context in any order, with or without the key’s name', async () => {
    const blob = await encrypt('secret');
    expect(Buffer.from(blob).toString('latin1')).not.toContain('secret');
    expect(await decrypt(blob, { clientId: 'one', use: 'callback' })).toBe('secret');
    expect(await decrypt(blob, context, secrets)).toBe('secret');
  });

  test('rejects another context, another key and a changed ciphertext', async () => {
    const blob = await encrypt('secret');
    const other = await createKey('ENCRYPT_DECRYPT', 'SYMMETRIC_DEFAULT');
    const changed = Uint8Array.from(blob);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const refused = { name: 'InvalidCiphertextException' };
    await expect(decrypt(blob, { ...context, clientId: 'two' })).rejects.toMatchObject(refused);
    await expect(decrypt(blob, context, other)).rejects.toMatchObject(refused);
    await expect(decrypt(changed)).rejects.toMatchObject(refused);
  });

  test('accepts 1 to 4,096 bytes', async () => {
    expect(await decrypt(await encrypt('x'.repeat(4_096)))).toHaveLength(4_096);
    await expect(encrypt('x'.repeat(4_097))).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('keys', () => {
  test('are found by id, ARN and alias, and survive a restart', async () => {
    await kms.send(new CreateAliasCommand({ AliasName: 'alias/kept', TargetKeyId: secrets }));
    const arn = `arn:aws:kms:eu-central-1:000000000000:key/${secrets}`;
    const blob = await encrypt('kept', arn);
    const restarted = await startAlone(protocol, createKms(join(folder, 'kms.json')).backend);
    const after = new KMSClient(clientOf(restarted.url));
    const { KeyMetadata } = await after.send(new DescribeKeyCommand({ KeyId: 'alias/kept' }));
    expect(KeyMetadata).toMatchObject({ KeyId: secrets, Arn: arn, KeyUsage: 'ENCRYPT_DECRYPT' });
    const opened = await after.send(
      new DecryptCommand({ KeyId: 'alias/kept', CiphertextBlob: blob, EncryptionContext: context }),
    );
    expect(Buffer.from(opened.Plaintext ?? '').toString()).toBe('kept');
    after.destroy();
    await restarted.close();
  });

  test('have unique aliases, and only the kinds that the service uses', async () => {
    const again = new CreateAliasCommand({ AliasName: 'alias/twice', TargetKeyId: secrets });
    await kms.send(again);
    await expect(kms.send(again)).rejects.toMatchObject({ name: 'AlreadyExistsException' });
    await expect(createKey('SIGN_VERIFY', 'RSA_3072')).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
    });
    await expect(kms.send(new ListKeysCommand())).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});
