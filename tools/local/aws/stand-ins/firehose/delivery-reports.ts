import type { Point } from '../cloudwatch/backend.ts';
import { arnOf } from './description.ts';

/** An entry of Firehose's log. */
export type DeliveryError = {
  deliveryStreamARN: string;
  destination: string;
  deliveryStreamVersionId: number;
  message: string;
  errorCode: string;
};

export const nameOf = ({ deliveryStreamARN }: Pick<DeliveryError, 'deliveryStreamARN'>): string =>
  deliveryStreamARN.slice(deliveryStreamARN.indexOf('/') + 1);

/** The words of Firehose for the codes of S3. */
const messages: Record<string, string> = {
  NoSuchBucket:
    'The specified bucket does not exist. Create the bucket or use a different bucket that does exist.',
  AccessDenied:
    'Access was denied. Ensure that the trust policy for the provided IAM role allows Firehose to assume the role, and the access policy allows access to the S3 bucket.',
};

/** @param code of S3, where it gave one */
export function deliveryError(
  { stream, version, bucket }: { stream: string; version: string; bucket: string },
  code: string | undefined,
): DeliveryError {
  const known = code !== undefined && /^(NoSuchBucket|AccessDenied|KMS\..+)$/.test(code);
  return {
    deliveryStreamARN: arnOf(stream),
    destination: `arn:aws:s3:::${bucket}`,
    deliveryStreamVersionId: Number(version),
    message: messages[known ? code : ''] ?? 'Firehose encountered an internal error while it wrote to S3.',
    errorCode: known ? `S3.${code}` : 'InternalError',
  };
}

/** The metrics of deliveries to S3. */
export class DeliveryMetrics {
  readonly #calls = new Map<string, Point>();

  /** A call to S3 succeeded (1) or failed (0). */
  called(stream: string, value: 0 | 1): void {
    this.#calls.set(stream, { at: Date.now(), value });
  }

  /** @param oldest when Firehose got the oldest record that is not written, if there is one */
  latest(metric: string, stream: string, oldest: number | undefined): Point | undefined {
    if (metric === 'DeliveryToS3.Success') return this.#calls.get(stream);
    if (metric !== 'DeliveryToS3.DataFreshness' || oldest === undefined) return undefined;
    const now = Date.now();
    return { at: now, value: (now - oldest) / 1_000 };
  }
}
