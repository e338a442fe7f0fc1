import { stsClient } from '../../core/adapters/assumed-credentials.ts';
import { BucketProbe } from '../../core/adapters/bucket-probe.ts';
import { documentClient } from '../../core/adapters/dynamodb.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import { TargetReadiness } from '../../core/adapters/target-readiness.ts';
import { TargetStore } from '../../core/adapters/target-store.ts';
import { TargetVerification } from '../../core/adapters/target-verification.ts';
import { TrustProbe } from '../../core/adapters/trust-probe.ts';
import { VerificationQueue } from '../../core/adapters/verification-queue.ts';
import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL } = parseEnvironment(environment, process.env);
const [dynamodb, sts] = [documentClient(), stsClient()];

export const handler = batchLambda(
  createHandler({
    targets: new TargetStore(dynamodb, TENANTS_TABLE),
    readiness: new TargetReadiness(dynamodb, TENANTS_TABLE),
    verification: new TargetVerification(dynamodb, TENANTS_TABLE),
    trust: new TrustProbe(sts),
    buckets: new BucketProbe(sts),
    queue: new VerificationQueue(sqsClient(), VERIFICATIONS_QUEUE_URL),
  }),
);
