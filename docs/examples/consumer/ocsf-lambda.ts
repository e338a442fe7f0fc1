/** A Lambda behind the stream that writes events for a SIEM: one object of JSON lines in the form of OCSF for each batch. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { decodeRecord, toOcsf } from '@omi/consumer';
import type { KinesisStreamEvent } from 'aws-lambda';

const s3 = new S3Client();

/** A batch that comes again writes the same object, so a failed call loses nothing. The SIEM drops the rest by `metadata.uid`. */
export async function handler({ Records: records }: KinesisStreamEvent): Promise<void> {
  const [first] = records;
  const events = records.flatMap(({ kinesis }) => decodeRecord(Buffer.from(kinesis.data, 'base64')));
  if (!first || events.length === 0) return;
  const arrival = new Date(first.kinesis.approximateArrivalTimestamp * 1000).toISOString();
  const key = `omi/${arrival.slice(0, 13).replace('T', '/')}/${first.kinesis.sequenceNumber}.jsonl`;
  await s3.send(
    new PutObjectCommand({
      Bucket: process.env['OCSF_BUCKET'],
      Key: key,
      ContentType: 'application/jsonl',
      Body: events.map((event) => `${JSON.stringify(toOcsf(event))}\n`).join(''),
    }),
  );
}
