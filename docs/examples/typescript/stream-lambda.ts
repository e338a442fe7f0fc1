/** A Lambda behind the stream. Its event source mapping needs `FunctionResponseTypes: [ReportBatchItemFailures]`. */
import type { KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
import { handle, SeenEvents, unwrap } from './events.ts';
import { handlers } from './handlers.ts';

/** As long as this instance of the Lambda lives. */
const seen = new SeenEvents();

/** Stops at the first record that fails: Lambda sends that one and all behind it again, so order stays. */
export async function handler({ Records }: KinesisStreamEvent): Promise<KinesisStreamBatchResponse> {
  for (const { kinesis } of Records) {
    try {
      await handle(unwrap(Buffer.from(kinesis.data, 'base64')), handlers, seen);
    } catch (error) {
      console.error(`Record ${kinesis.sequenceNumber} failed:`, error);
      return { batchItemFailures: [{ itemIdentifier: kinesis.sequenceNumber }] };
    }
  }
  return { batchItemFailures: [] };
}
