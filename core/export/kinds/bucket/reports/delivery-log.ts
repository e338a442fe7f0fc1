import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsEvent } from 'aws-lambda';
import * as v from 'valibot';

/** An entry of Firehose's log: it could not write into a bucket at this time. */
export type DeliveryError = {
  deliveryStream: string;
  bucket: string;
  code: string;
  message: string;
  /** In milliseconds since 1970. */
  at: number;
};

const nameIn = (marker: string) =>
  v.pipe(
    v.string(),
    v.transform((arn) => arn.split(marker)[1] ?? ''),
    v.nonEmpty(),
  );

const entry = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    deliveryStreamARN: nameIn(':deliverystream/'),
    destination: nameIn(':::'),
    errorCode: v.string(),
    message: v.optional(v.string(), ''),
  }),
);

const log = v.object({
  logEvents: v.array(v.object({ timestamp: v.number(), message: v.string() })),
});

/** @returns the last error of each delivery stream, and how many entries are unreadable */
export function readDeliveryLog({ awslogs }: CloudWatchLogsEvent): {
  errors: DeliveryError[];
  unreadable: number;
} {
  const { logEvents } = v.parse(log, JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString()));
  const latest = new Map<string, DeliveryError>();
  let unreadable = 0;
  for (const { timestamp: at, message } of logEvents) {
    const { success, output } = v.safeParse(entry, message);
    if (!success) unreadable += 1;
    else if (at >= (latest.get(output.deliveryStreamARN)?.at ?? 0)) {
      const { deliveryStreamARN: deliveryStream, destination: bucket, errorCode: code } = output;
      latest.set(deliveryStream, { deliveryStream, bucket, code, message: output.message, at });
    }
  }
  return { errors: [...latest.values()], unreadable };
}
