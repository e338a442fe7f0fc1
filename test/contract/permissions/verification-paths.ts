import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../../core/export/verification/verification-queue.ts';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { createHandler } from '../../../lambdas/schedule-verifications/handler.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { accessKeyIdOf } from '../../../tools/local/lambda/runtime-environment.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { writerPolicies } from '../../../tools/local/seed/stream-target.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { Register } from '../export/register.ts';
import { TenantAccount } from '../export/targets.ts';
import { queueUrlOf, recordEvents, requestVerification } from './export-operator.ts';
import { taken, waiting } from './export-paths.ts';

const isVerified = ({ verifiedAt }: Target): boolean => verifiedAt !== undefined;
const isFound =
  (code: string) =>
  ({ fault }: Target): boolean =>
    fault?.code === code;

/** STS is too busy at first, so the test comes again. */
async function streamVerified(stack: TestStack): Promise<void> {
  const [account, register] = [new TenantAccount(stack.file), new Register(stack.file)];
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const destination = await account.makeStream({ shards: 1 });
  await register.targets.register(ref, destination, Date.now());
  const busy = { service: 'sts', fault: 'throttle', resource: destination.roleArn } as const;
  await withFault(stack.file, busy, async () => {
    await requestVerification(stack, ref);
    await untilCalled(stack, 'verify-target', 'ChangeMessageVisibilityBatch');
  });
  await register.becomes(ref, 'verified', isVerified);
  await scheduled(stack, ref);
}

async function textOf(
  { file }: TestStack,
  { bucket: Bucket }: BucketDestination,
  Key: string,
): Promise<string> {
  const settings = { ...accessAs('READER', file.aws, 's3'), forcePathStyle: true };
  return await using(new S3Client(settings), async (client) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString())?.trim() ?? '';
  });
}

/** The owner is asked for a proof, gives a wrong one, and then the right one. Then an event is sent as a test. */
async function bucketVerified(stack: TestStack): Promise<void> {
  const [account, register] = [new TenantAccount(stack.file), new Register(stack.file)];
  const ref: TargetRef = { tenantId: randomUUID(), category: 'log' };
  const destination = await account.makeBucket(ref);
  await register.targets.register(ref, destination, Date.now());
  await requestVerification(stack, ref);
  const asked = await register.becomes(ref, 'asked for a proof', isFound('Verification.OwnershipUnproven'));
  await requestVerification(stack, ref, { proof: 'no such text' });
  await register.becomes(ref, 'asked again', isFound('Verification.WrongProof'));
  const proof = await textOf(stack, destination, asked.ownership?.object ?? '');
  await requestVerification(stack, ref, { proof });
  await register.becomes(ref, 'active', ({ state }) => state === 'active');
  await requestVerification(stack, ref, { event: { type: 'LaterEvent', eventId: randomUUID() } });
  await untilCalled(stack, 'verify-target', 'PutRecordBatch');
}

/** As the clock calls the Lambda once a day, with its credentials; of the targets that it finds, only this one is tested. */
async function scheduled(stack: TestStack, { tenantId }: TargetRef): Promise<void> {
  const { region, endpoints } = stack.file.aws;
  const credentials = { accessKeyId: accessKeyIdOf('schedule-verifications'), secretAccessKey: 'local' };
  const url = await queueUrlOf(stack, 'verifications');
  await using(new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb }), async (dynamodb) => {
    await using(new SQSClient({ region, credentials, endpoint: endpoints.sqs }), async (sqs) => {
      const client = DynamoDBDocumentClient.from(dynamodb);
      const targets = new TargetStore(client, localTables.tenants);
      const pages = async function* (): AsyncGenerator<TargetRef[]> {
        for await (const page of targets.pages()) yield page.filter((ref) => ref.tenantId === tenantId);
      };
      await createHandler({ targets: { pages }, queue: new VerificationQueue(sqs, url) })();
    });
  });
}

/**
 * The role lets nobody in any more. The exporter's session is older, so events are delivered, and the exporter asks for a
 * test. Then the redelivery does, when the role is as before.
 */
async function doubted(stack: TestStack): Promise<void> {
  const [account, register] = [new TenantAccount(stack.file), new Register(stack.file)];
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const destination = await account.makeStream({ shards: 1 });
  await register.activate(ref, destination);
  await recordEvents(stack, ref);
  await register.becomes(ref, 'delivered', taken(1));
  const { trustPolicy } = writerPolicies({ ...destination, externalId: 'somebody-elses-0123456789' });
  await account.changeTrust(destination, trustPolicy);
  await requestVerification(stack, ref);
  await register.becomes(ref, 'in doubt', isFound('AccessDenied'));
  await recordEvents(stack, ref);
  await untilCalled(stack, 'export-events', 'SendMessage', localQueues.verifications);

  await requestVerification(stack, ref);
  await account.deleteRole(destination);
  await recordEvents(stack, ref);
  await register.becomes(ref, 'waiting', waiting(1));
  await account.makeRole(destination);
  await untilCalled(stack, 'redeliver-events', 'SendMessage', localQueues.verifications);
  await register.becomes(ref, 'sound', (target) => taken(3)(target) && target.lastTest?.outcome === 'passed');
}

/** Trust in targets, tested. */
export const verificationPaths = [streamVerified, bucketVerified, doubted];
