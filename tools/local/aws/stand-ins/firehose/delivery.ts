import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { MayWrite } from '../iam/delivery-access.ts';
import { region } from '../../identity.ts';
import type { Destination } from './destination.ts';
import { type DeliveryError, deliveryError } from './delivery-reports.ts';
import { evaluatePrefix } from './prefix.ts';

/** The records of one object. */
export type Chunk = {
  stream: string;
  version: string;
  destination: Destination;
  /** The arrival of the oldest record. */
  arrival: Date;
  records: readonly Buffer[];
};

export type DeliveryOptions = {
  log: (line: string) => void;
  /** The endpoint of S3, so that its faults apply to Firehose. */
  s3Url: string;
  mayWrite: MayWrite;
  /** False for a stream whose records Firehose cannot process now. */
  canProcess?: (stream: string) => boolean;
  /** Milliseconds before each retry. */
  retryAfterMs: Iterable<number>;
  /** Aborted when the stack closes: retries no longer wait. */
  closing: AbortSignal;
  written?: (stream: string) => void;
  failed?: (error: DeliveryError & { isLogged: boolean }) => void;
};

/** Firehose's access key, which identifies its calls in the record of calls. */
const firehoseKey = 'AKIAFIREHOSE';
const writeTimeoutMs = 5_000;

/**
 * Writes one object. After the last retry it is written under the error prefix, unless the stack closes before.
 *
 * @returns false if the records could not be written at all
 */
export async function deliver(
  chunk: Chunk,
  { s3Url, mayWrite, canProcess = () => true, log, retryAfterMs, closing, written, failed }: DeliveryOptions,
): Promise<boolean> {
  const { destination, stream, version, arrival } = chunk;
  const { bucket, roleArn, isLogged } = destination;
  const report = (code?: string) =>
    failed?.({ ...deliveryError({ stream, version, bucket }, code), isLogged });
  const write = async (key: string): Promise<boolean> => {
    const code = mayWrite(roleArn, bucket, key) ? await put(s3Url, key, chunk) : 'AccessDenied';
    if (code === 'OK') written?.(stream);
    else report(code);
    return code === 'OK';
  };
  const writeError = async (): Promise<boolean> =>
    await write(evaluatePrefix(destination.errorPrefix, arrival, 'processing-failed') + suffix(chunk));
  if (!canProcess(stream)) {
    const isWritten = await writeError();
    report();
    return isWritten;
  }
  const key = evaluatePrefix(destination.prefix, arrival, '') + suffix(chunk);
  for (const wait of tries(retryAfterMs)) {
    // An aborted wait ends at once, and one more write is tried.
    await sleep(wait, undefined, { signal: closing }).catch(() => undefined);
    if (await write(key)) return true;
    if (closing.aborted) return false;
    if (wait === 0) log(`firehose: ${stream} cannot write to ${destination.bucket} and retries`);
  }
  return await writeError();
}

/** The first try is immediate. */
function* tries(retryAfterMs: Iterable<number>): Iterable<number> {
  yield 0;
  yield* retryAfterMs;
}

/** Amazon S3 object name format, in the Firehose Developer Guide. */
function suffix({ stream, version, destination, arrival }: Chunk): string {
  const time = arrival.toISOString().slice(0, 19).replace(/[T:]/g, '-');
  return `${stream}-${version}-${time}-${randomUUID()}${destination.fileExtension}`;
}

/** @returns the code of S3's error, if it gave one */
async function put(s3Url: string, key: string, { destination, records }: Chunk): Promise<string | undefined> {
  const delimiter = Buffer.from(destination.delimiter);
  const content = Buffer.concat(records.flatMap((record) => [record, delimiter]));
  const path = `${destination.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const body = destination.isCompressed ? gzipSync(content) : content;
  const signal = AbortSignal.timeout(writeTimeoutMs);
  try {
    const response = await fetch(`${s3Url}/${path}`, {
      method: 'PUT',
      headers: headers(destination),
      body,
      signal,
    });
    const text = await response.text();
    return response.ok ? 'OK' : /<Code>(.+?)<\/Code>/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

function headers({ kmsKeyArn, isCompressed }: Destination): Record<string, string> {
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${firehoseKey}/20260101/${region}/s3/aws4_request`,
    'content-type': 'application/octet-stream',
    'x-amz-acl': 'bucket-owner-full-control',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    ...(kmsKeyArn === undefined
      ? {}
      : {
          'x-amz-server-side-encryption': 'aws:kms',
          'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyArn,
        }),
  };
}
