import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { AwsServiceError } from '../../protocols/errors.ts';

/** A key of KMS. `material` is in base64: 32 bytes of AES-256, or a private key in PKCS #8. */
export type Key = { id: string; spec: KeySpec; material: string; createdAt: number };

/** The kinds of keys that this stand-in has, and what each is used for. */
const usages = {
  SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT',
  ECC_NIST_P256: 'SIGN_VERIFY',
  RSA_2048: 'SIGN_VERIFY',
} as const;

export type KeySpec = keyof typeof usages;
export type KeyUsage = (typeof usages)[KeySpec];

export const isSpec = (spec: string): spec is KeySpec => spec in usages;

export const usageOf = ({ spec }: Pick<Key, 'spec'>): KeyUsage => usages[spec];

const pkcs8 = { type: 'pkcs8', format: 'der' } as const;

const newMaterial: Readonly<Record<KeySpec, () => Buffer>> = {
  SYMMETRIC_DEFAULT: () => randomBytes(32),
  ECC_NIST_P256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pkcs8),
  RSA_2048: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pkcs8),
};

export const newKey = (spec: KeySpec): Key => ({
  id: randomUUID(),
  spec,
  material: newMaterial[spec]().toString('base64'),
  createdAt: Date.now(),
});

const materialOf = ({ material }: Key): Buffer => Buffer.from(material, 'base64');

export const privateKeyOf = (key: Key) =>
  createPrivateKey({ key: materialOf(key), format: 'der', type: 'pkcs8' });

/** A SubjectPublicKeyInfo, as KMS answers it. */
export const publicKeyOf = (key: Key): Buffer =>
  createPublicKey(privateKeyOf(key)).export({ type: 'spki', format: 'der' });

const lengths = { id: 36, nonce: 12, tag: 16 };

/** A text that begins with the key's id, as a blob of KMS names its key, followed by AES-256-GCM with its nonce and tag. */
export function encrypt(key: Key, plaintext: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', materialOf(key), nonce).setAAD(context);
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id), nonce, cipher.getAuthTag(), encrypted]);
}

export const keyIdIn = (blob: Buffer): string => blob.subarray(0, lengths.id).toString();

/** @throws {AwsServiceError} if the blob or the encryption context was changed */
export function decrypt(key: Key, blob: Buffer, context: Buffer): Buffer {
  const tagAt = lengths.id + lengths.nonce;
  const textAt = tagAt + lengths.tag;
  try {
    const decipher = createDecipheriv('aes-256-gcm', materialOf(key), blob.subarray(lengths.id, tagAt))
      .setAAD(context)
      .setAuthTag(blob.subarray(tagAt, textAt));
    return Buffer.concat([decipher.update(blob.subarray(textAt)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

export const invalidCiphertext = (): AwsServiceError =>
  // KMS gives this error no message.
  new AwsServiceError(400, 'InvalidCiphertextException', '');
