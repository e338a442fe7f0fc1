import {
  DeleteObjectsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

export type AppObject = { key: string; body: Uint8Array | string; contentType: string; cacheControl: string };

/** The bucket from which CloudFront serves the web app. */
export class AppBucketClient {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async put({ key, body, contentType, cacheControl }: AppObject): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        Body: body,
        ContentType: contentType,
        CacheControl: cacheControl,
      }),
    );
  }

  /** Deletes every object, because CloudFormation deletes no bucket that has any. */
  async empty(): Promise<void> {
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket },
    )) {
      const Objects = Contents.map(({ Key }) => ({ Key }));
      if (Objects.length === 0) continue;
      const { Errors = [] } = await this.#client.send(
        new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
      );
      const [first] = Errors;
      if (first) throw new Error(`${Errors.length} objects could not be deleted: ${first.Code ?? 'unknown'}`);
    }
  }
}
