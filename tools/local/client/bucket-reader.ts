import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { type LocalAws, readerAccess } from './reader-access.ts';

export type ExportedObject = { key: string; text: string };

/** A consumer of a bucket. Each `read` returns the new objects, in the order of their keys. */
export class BucketReader {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #read = new Set<string>();

  constructor(stack: LocalAws, bucket: string) {
    this.#client = new S3Client({ ...readerAccess(stack, 's3'), forcePathStyle: true });
    this.#bucket = bucket;
  }

  async read(): Promise<ExportedObject[]> {
    const objects: ExportedObject[] = [];
    for (const Key of await this.#newKeys()) {
      const get = new GetObjectCommand({ Bucket: this.#bucket, Key });
      const text = await (await this.#client.send(get)).Body?.transformToString();
      objects.push({ key: Key, text: text ?? '' });
      this.#read.add(Key);
    }
    return objects;
  }

  /** Skips all current objects. */
  async skip(): Promise<void> {
    for (const key of await this.#newKeys()) this.#read.add(key);
  }

  close(): void {
    this.#client.destroy();
  }

  async #newKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const page of paginateListObjectsV2({ client: this.#client }, { Bucket: this.#bucket })) {
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
    }
    return keys.filter((key) => !this.#read.has(key));
  }
}

/** True for objects with events; failed records and the service's markers have other prefixes. */
export const holdsEvents = ({ key }: ExportedObject): boolean => !/^(errors|omi)\//.test(key);
