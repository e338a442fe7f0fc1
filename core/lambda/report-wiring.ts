import { documentClient } from '../aws/dynamodb-client.ts';
import { sqsClient } from '../aws/sqs-client.ts';
import type { TargetRef } from '../events/target-ref.ts';
import { BucketReports } from '../export/kinds/bucket/reports/bucket-report-store.ts';
import { LastTestStore } from '../export/targets/last-test-store.ts';
import { TargetStore } from '../export/targets/target-store.ts';
import { WatchedBuckets } from '../export/targets/watched-bucket-store.ts';
import { requestTest } from '../export/verification/request-test.ts';
import { VerificationQueue } from '../export/verification/verification-queue.ts';

type ReportEnvironment = { TENANTS_TABLE: string; VERIFICATIONS_QUEUE_URL: string };

/** What the Lambdas need that write Firehose's reports into targets' records. */
export function reportDeps({ TENANTS_TABLE, VERIFICATIONS_QUEUE_URL }: ReportEnvironment) {
  const dynamodb = documentClient();
  const tests = {
    queue: new VerificationQueue(sqsClient(), VERIFICATIONS_QUEUE_URL),
    lastTests: new LastTestStore(dynamodb, TENANTS_TABLE),
  };
  return {
    targets: new TargetStore(dynamodb, TENANTS_TABLE),
    reports: new BucketReports(dynamodb, TENANTS_TABLE),
    watched: new WatchedBuckets(dynamodb, TENANTS_TABLE),
    requestTest: async (ref: TargetRef) => await requestTest(tests, ref, Date.now()),
  };
}
