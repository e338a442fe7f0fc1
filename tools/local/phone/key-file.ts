import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { WebCryptoKey, type DeviceIdentity } from '#device';
import { ClientError } from '../../../client/http.ts';

/** An enrolled phone that goes on. */
export type KeptPhone = { identity: DeviceIdentity; key: WebCryptoKey };

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

const keptSchema = v.object({
  identity: v.object({
    baseUrl: v.string(),
    deviceId: v.string(),
    tenantId: v.string(),
    userId: v.string(),
    tenant: v.exactOptional(v.string()),
    account: v.exactOptional(v.string()),
  }),
  privateKey: v.object({
    kty: v.literal('EC'),
    crv: v.literal('P-256'),
    x: v.string(),
    y: v.string(),
    d: v.string(),
  }),
});

/** A file with a phone's identity and private key, which only its owner can read. */
export class KeyFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  /** @throws {ClientError} if it is not a file of {@link save} */
  async load(): Promise<KeptPhone> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      throw new ClientError(`${this.path} cannot be read (${reasonOf(error)}).`, { cause: error });
    });
    try {
      const { identity, privateKey } = v.parse(keptSchema, JSON.parse(text));
      return { identity, key: await importKey(privateKey) };
    } catch (error) {
      throw new ClientError(`${this.path} does not hold the key of a phone.`, { cause: error });
    }
  }

  /** Fails before a code is used up, if the phone could not be kept. */
  async reserve(): Promise<void> {
    try {
      await writeFile(this.path, '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new ClientError(`${this.path} cannot be written (${reasonOf(error)}).`, { cause: error });
    }
  }

  async save({ identity, key }: KeptPhone): Promise<void> {
    const privateKey = v.parse(
      keptSchema.entries.privateKey,
      await crypto.subtle.exportKey('jwk', key.keyPair.privateKey),
    );
    const unfinished = `${this.path}.${randomUUID()}`;
    await writeFile(unfinished, `${JSON.stringify({ identity, privateKey }, null, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    await rename(unfinished, this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

async function importKey(jwk: v.InferOutput<typeof keptSchema>['privateKey']): Promise<WebCryptoKey> {
  const { kty, crv, x, y } = jwk;
  const privateKey = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']);
  const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, true, ['verify']);
  return new WebCryptoKey({ privateKey, publicKey }, { kty, crv, x, y });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
