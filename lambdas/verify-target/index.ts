import { stsClient } from '../../core/export/delivery/assumed-role-client.ts';
import { BucketProbe } from '../../core/export/verification/bucket-probe.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { GivenUpEvents } from '../../core/export/targets/given-up-store.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { TrustProbe } from '../../core/export/verification/trust-probe.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { WebhookProbe } from '../../core/export/verification/webhook-probe.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { webhookCaller } from '../../core/lambda/webhook-wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL } = env;
const [dynamodb, sts] = [documentClient(), stsClient()];

export const handler = batchLambda(
  createHandler({
    targets: new TargetStore(dynamodb, TENANTS_TABLE),
    lastTests: new LastTestStore(dynamodb, TENANTS_TABLE),
    reports: new GivenUpEvents(dynamodb, TENANTS_TABLE),
    readiness: new TargetReadiness(dynamodb, TENANTS_TABLE),
    trust: new TrustProbe(sts),
    buckets: new BucketProbe(sts),
    webhooks: new WebhookProbe(webhookCaller(env)),
    queue: new VerificationQueue(sqsClient(), VERIFICATIONS_QUEUE_URL),
  }),
);
