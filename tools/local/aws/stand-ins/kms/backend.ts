import { createHash } from 'node:crypto';
import type { Backend } from '../../endpoint/http.ts';
import { accountId, region } from '../../identity.ts';
import { openJsonFile } from '../../json-file.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asObject, type JsonObject, jsonResponse, parseJson } from '../../protocols/json.ts';
import { signDigest, signRsaDigest } from './signatures.ts';
import {
  decrypt,
  encrypt,
  invalidCiphertext,
  isSpec,
  type Key,
  keyIdIn,
  type KeyUsage,
  newKey,
  privateKeyOf,
  publicKeyOf,
  usageOf,
} from './keys.ts';

/** Keys by id; their ids by alias. */
type State = { keys: Record<string, Key>; aliases: Record<string, string> };

export type Kms = { backend: Backend; flush: () => Promise<void> };

type Operations = Record<string, (input: JsonObject) => JsonObject>;

/** Bytes, by KMS's quotas. */
const longestPlaintextBytes = 4_096;
const digestBytes = 32;

const arnOf = ({ id }: Key): string => `arn:aws:kms:${region}:${accountId}:key/${id}`;

const metadataOf = (key: Key): JsonObject => ({
  KeyId: key.id,
  Arn: arnOf(key),
  AWSAccountId: accountId,
  CreationDate: key.createdAt / 1_000,
  Enabled: true,
  KeyManager: 'CUSTOMER',
  KeySpec: key.spec,
  KeyState: 'Enabled',
  KeyUsage: usageOf(key),
  MultiRegion: false,
  Origin: 'AWS_KMS',
});

const refusal = (code: string, message: string): AwsServiceError => new AwsServiceError(400, code, message);

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : '', 'base64');

/** The encryption context in one form, whatever the order of its members. */
const contextOf = ({ EncryptionContext }: JsonObject): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(asObject(EncryptionContext)).toSorted()));

/** Finds keys of one kind by id, ARN or alias. */
class Keys {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  find(id: unknown): Key {
    const { keys, aliases } = this.#state;
    const name = String(id).replace(/^arn:(?:[^:]*:){4}(?:key\/)?/, '');
    const key = keys[aliases[name] ?? name];
    if (key) return key;
    throw refusal('NotFoundException', `Key '${String(id)}' does not exist`);
  }

  findFor(usage: KeyUsage, id: unknown): Key {
    const key = this.find(id);
    if (usageOf(key) === usage) return key;
    throw refusal('InvalidKeyUsageException', `${arnOf(key)} key usage is ${usageOf(key)}`);
  }
}

const keyOperations = (state: State, keys: Keys): Operations => ({
  CreateKey: ({ KeyUsage = 'ENCRYPT_DECRYPT', KeySpec = 'SYMMETRIC_DEFAULT' }) => {
    const spec = String(KeySpec);
    if (!isSpec(spec) || usageOf({ spec }) !== KeyUsage)
      throw refusal('UnsupportedOperationException', `This KMS has no ${spec} for ${String(KeyUsage)}.`);
    const key = newKey(spec);
    state.keys[key.id] = key;
    return { KeyMetadata: metadataOf(key) };
  },
  CreateAlias: ({ AliasName, TargetKeyId }) => {
    const name = String(AliasName);
    if (state.aliases[name] !== undefined)
      throw refusal('AlreadyExistsException', `An alias with the name ${name} already exists`);
    state.aliases[name] = keys.find(TargetKeyId).id;
    return {};
  },
  DescribeKey: ({ KeyId }) => ({ KeyMetadata: metadataOf(keys.find(KeyId)) }),
});

const algorithmOf = ({ spec }: Key): string =>
  spec === 'RSA_2048' ? 'RSASSA_PKCS1_V1_5_SHA_256' : 'ECDSA_SHA_256';

const signingOperations = (keys: Keys): Operations => ({
  GetPublicKey: ({ KeyId }) => {
    const key = keys.findFor('SIGN_VERIFY', KeyId);
    return {
      KeyId: arnOf(key),
      KeySpec: key.spec,
      KeyUsage: usageOf(key),
      PublicKey: publicKeyOf(key).toString('base64'),
      SigningAlgorithms: [algorithmOf(key)],
    };
  },
  Sign: ({ KeyId, Message, MessageType, SigningAlgorithm }) => {
    const key = keys.findFor('SIGN_VERIFY', KeyId);
    if (SigningAlgorithm !== algorithmOf(key))
      throw refusal('InvalidKeyUsageException', `Algorithm ${String(SigningAlgorithm)} is incompatible`);
    const message = bytesOf(Message);
    const digest = MessageType === 'DIGEST' ? message : createHash('sha256').update(message).digest();
    if (digest.length !== digestBytes)
      throw refusal('ValidationException', `Digest is invalid length for algorithm ${algorithmOf(key)}.`);
    const sign = key.spec === 'RSA_2048' ? signRsaDigest : signDigest;
    const Signature = sign(privateKeyOf(key), digest);
    return { KeyId: arnOf(key), SigningAlgorithm, Signature: Signature.toString('base64') };
  },
});

const encryptionOperations = (keys: Keys): Operations => ({
  Encrypt: (input) => {
    const key = keys.findFor('ENCRYPT_DECRYPT', input['KeyId']);
    const plaintext = bytesOf(input['Plaintext']);
    if (plaintext.length === 0 || plaintext.length > longestPlaintextBytes)
      throw refusal('ValidationException', `Plaintext must have 1 to ${longestPlaintextBytes} bytes`);
    const CiphertextBlob = encrypt(key, plaintext, contextOf(input)).toString('base64');
    return { KeyId: arnOf(key), CiphertextBlob, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  },
  Decrypt: (input) => {
    const blob = bytesOf(input['CiphertextBlob']);
    const { KeyId = keyIdIn(blob) } = input;
    const key = keys.findFor('ENCRYPT_DECRYPT', KeyId);
    if (key.id !== keyIdIn(blob)) throw invalidCiphertext();
    const Plaintext = decrypt(key, blob, contextOf(input)).toString('base64');
    return { KeyId: arnOf(key), Plaintext, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  },
});

/** Keys of KMS that encrypt with AES-256, or sign with P-256 or RSA. */
export function createKms(stateFile?: string): Kms {
  const file = openJsonFile<State>(stateFile, () => state);
  const state: State = file.saved ?? { keys: {}, aliases: {} };
  const keys = new Keys(state);
  const operations: Operations = {
    ...keyOperations(state, keys),
    ...signingOperations(keys),
    ...encryptionOperations(keys),
  };
  return {
    backend: async (request) => {
      const { operation, input } = parseJson(request);
      const run = operations[operation];
      if (!run) throw refusal('UnknownOperationException', `There is no operation ${operation}.`);
      const answer = jsonResponse(200, run(input));
      if (!operation.startsWith('Create')) return answer;
      file.changed();
      await file.flush();
      return answer;
    },
    flush: file.flush,
  };
}
