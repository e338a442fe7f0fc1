import { createProbes } from '../../core/export/kinds/probes.ts';
import { createTenantWriters } from '../../core/export/kinds/tenant-writers.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { sendTestEvent } from '../../core/export/delivery/send-test-event.ts';
import { GivenUpEvents } from '../../core/export/targets/given-up-store.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL } = env;
const dynamodb = documentClient();
const readiness = new TargetReadiness(dynamodb, TENANTS_TABLE);
const reports = new GivenUpEvents(dynamodb, TENANTS_TABLE);
const writers = createTenantWriters(env);

export const handler = batchLambda(
  createHandler({
    targets: new TargetStore(dynamodb, TENANTS_TABLE),
    lastTests: new LastTestStore(dynamodb, TENANTS_TABLE),
    readiness,
    probes: createProbes(env, { readiness, reports }),
    sendEvent: async (...event) => await sendTestEvent(writers, ...event),
    queue: new VerificationQueue(sqsClient(), VERIFICATIONS_QUEUE_URL),
  }),
);
