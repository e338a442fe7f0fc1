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
export type Key = { id: string; usage: KeyUsage; material: string; createdAt: number };
export type KeyUsage = keyof typeof specOf;

/** The kinds of keys that this stand-in has. */
export const specOf = { ENCRYPT_DECRYPT: 'SYMMETRIC_DEFAULT', SIGN_VERIFY: 'ECC_NIST_P256' } as const;

export const isUsage = (usage: string): usage is KeyUsage => usage in specOf;

const newMaterial = {
  ENCRYPT_DECRYPT: () => randomBytes(32),
  SIGN_VERIFY: () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'der' }),
};

export const newKey = (usage: KeyUsage): Key => ({
  id: randomUUID(),
  usage,
  material: newMaterial[usage]().toString('base64'),
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
