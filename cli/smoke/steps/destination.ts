import { StreamReader } from '../../../client/stream-reader.ts';
import { eventually } from '../../../client/waiting.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { streamDocuments } from '../../../core/export/kinds/stream/stream-documents.ts';
import { exporterRoleArnsOf, smokePrefixOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import { seconds } from '../../../core/kernel/time.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError } from '../../command-error.ts';
import { externalIdStoreOf, newExternalId } from '../../targets/external-id-store.ts';
import { operatorOf } from '../../deployment/account-client.ts';
import { requireTarget, targetStoreOf } from '../../targets/target-record.ts';
import { awaitOutcome, isSound, requestTest } from '../../targets/verification-client.ts';
import { Arrivals } from '../arrivals.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import { deleteRole, deleteStream, makeRole, makeStream, policyName } from '../stream-client.ts';

export const streamIsThere: StepDefinition = {
  name: 'stream',
  title: 'A stream exists, with a role that may write into it',
  limitSeconds: 240,
  hint: 'These AWS credentials must be allowed to create a stream and a role (docs/first-deployment.md). Or pass --stream-arn, --role-arn and --external-id.',
};

export const targetIsTested: StepDefinition = {
  name: 'target',
  title: 'The stream passes the test of the service as a target',
  limitSeconds: 180,
  hint: 'See the log of the Lambda verify-target.',
};

/** The given stream, or a new one in the operator's own account. */
export async function prepareStream(scene: Scene, { signal, say }: StepRun): Promise<StreamDestination> {
  const { streamArn, roleArn, externalId } = scene.options;
  const isGiven = streamArn !== undefined && roleArn !== undefined && externalId !== undefined;
  const stream = isGiven ? { streamArn, roleArn, externalId } : await makeOwn(scene, signal);
  say(stream.streamArn);
  return { kind: 'stream', lanes: 2, ...stream };
}

type Stream = Pick<StreamDestination, 'streamArn' | 'roleArn' | 'externalId'>;

async function makeOwn({ deployment, undo, runId }: Scene, signal: AbortSignal): Promise<Stream> {
  const { kinesis, iam } = deployment.clients;
  const operator = await operatorOf(deployment);
  const { account, partition } = operator;
  const name = `${smokePrefixOf(deployment.stage)}${runId}`;
  const streamArn = `arn:${partition}:kinesis:${deployment.region}:${account}:stream/${name}`;
  const externalId = newExternalId();
  const operatorRoleArns = exporterRoleArnsOf(operator);
  const documents = streamDocuments({
    kind: 'stream',
    streamArn,
    roleName: name,
    externalId,
    operatorRoleArns,
  });
  undo.add({
    what: `stream ${name}`,
    fix: `aws kinesis delete-stream --region ${deployment.region} --stream-name ${name}`,
    remove: async () => await deleteStream(kinesis, name),
  });
  await makeStream(kinesis, name, signal);
  signal.throwIfAborted();
  undo.add({
    what: `role ${name}`,
    fix: `aws iam delete-role-policy --role-name ${name} --policy-name ${policyName} && aws iam delete-role --role-name ${name}`,
    remove: async () => await deleteRole(iam, name),
  });
  return { streamArn, roleArn: await makeRole(iam, documents), externalId };
}

export type Export = { arrivals: Arrivals; stream: StreamDestination };

/** Like "omi target set stream" and "omi target test". Repeats the test, as a new role takes a moment in IAM. */
export async function testTarget(
  scene: Scene,
  stream: StreamDestination,
  { signal, say }: StepRun,
): Promise<Export> {
  const { deployment, tenantId } = scene;
  const ref: TargetRef = { tenantId, category: 'public' };
  await register(scene, ref, stream);
  const ask = async () => {
    const fault = await testOnce(deployment, ref);
    if (fault === undefined) return true;
    say(fault);
    signal.throwIfAborted();
    return undefined;
  };
  await eventually('A passed test of the target', ask, {
    everyMs: 3 * seconds,
    atMostMs: 150 * seconds,
    signal,
  });
  const name = stream.streamArn.slice(stream.streamArn.lastIndexOf('/') + 1);
  const from = scene.options.streamArn === undefined ? 'TRIM_HORIZON' : 'LATEST';
  const reader = await StreamReader.open(deployment.clients.kinesis, name, from);
  return { arrivals: new Arrivals(reader, tenantId), stream };
}

async function register(
  { deployment, undo }: Scene,
  ref: TargetRef,
  stream: StreamDestination,
): Promise<void> {
  const externalIds = externalIdStoreOf(deployment);
  undo.add({
    what: `external id of tenant ${ref.tenantId}`,
    fix: `Delete the item of the table ${deployment.tables.tenants} whose tenantId is ${ref.tenantId}.`,
    remove: async () => await externalIds.release(stream.externalId, ref.tenantId),
  });
  if (!(await externalIds.take(stream.externalId, ref.tenantId)))
    throw new CommandError('A tenant uses the external id.', 'Pass one that only smoke tests use.');
  undo.add({
    what: `target of tenant ${ref.tenantId}`,
    fix: `npx omi target set none ${ref.tenantId} public --yes ${deployment.selector}`,
    remove: async () => await targetStoreOf(deployment).register(ref, { kind: 'none' }, Date.now()),
  });
  await targetStoreOf(deployment).register(ref, stream, Date.now());
}

/** @returns why the test failed */
async function testOnce(deployment: Deployment, ref: TargetRef): Promise<string | undefined> {
  const before = await requireTarget(deployment, ref);
  await requestTest(deployment, before);
  const target = await awaitOutcome(deployment, before, { timeoutMs: 20 * seconds, note: () => undefined });
  return isSound(target, before) ? undefined : (target.fault?.reason ?? 'the test has no outcome yet');
}
