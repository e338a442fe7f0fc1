import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TargetReadiness } from '../../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { isBucket } from '../../../core/export/kinds/bucket/record.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { describeTarget } from '../../../core/events/target-ref.ts';
import type { Writes } from '../aws/endpoint/writes.ts';
import { type LocalExport, localExports } from '../resources/exports.ts';
import { localTables } from '../resources/tables.ts';
import type { Aws } from './aws-access.ts';
import { ensureDeliveryStream } from './delivery-stream.ts';
import { markOwned } from './ownership.ts';
import { isInitial, makeInitial } from './initial-target.ts';

/** Registers the tenants' targets. Targets of an earlier start stay as they are. */
export async function seedTargets(aws: Aws, client: DynamoDBDocumentClient): Promise<void> {
  const targets = new TargetStore(client, localTables.tenants);
  await Promise.all(
    localExports.map(async (one) => {
      const found = await targets.find(one);
      const destination = found?.destination ?? (await make(aws, one));
      if (!found) await targets.register(one, destination, Date.now());
      if (!found || isPending(found, one)) await markVerified(client, one, destination);
    }),
  );
}

/** The delivery stream as provisioning would make it, for which the start need not wait. */
async function make(aws: Aws, one: LocalExport): Promise<Destination> {
  const destination = await makeInitial(aws, one);
  if (isBucket(destination)) await ensureDeliveryStream(aws, one, destination);
  return destination;
}

/** True for a target of the seed that is not active yet. Targets that others registered are up to them. */
const isPending = ({ state, destination }: Target, one: LocalExport): boolean =>
  state === 'validating' && isInitial(destination, one);

/** Skips verification, because the stack created the resources itself. Provisioning is the Lambda's work, as in the cloud. */
async function markVerified(
  client: DynamoDBDocumentClient,
  { tenantId, category }: LocalExport,
  destination: Destination,
): Promise<void> {
  const readiness = new TargetReadiness(client, localTables.tenants);
  const target = await new TargetStore(client, localTables.tenants).find({ tenantId, category });
  if (target) await markOwned(readiness, target);
  await readiness.verified({ tenantId, category, destination }, Date.now());
}

const longestWaitMs = 90_000;

/**
 * The tenants' targets, once all targets of the seed are active.
 *
 * @throws after 90 s
 */
export async function settledTargets(
  client: DynamoDBDocumentClient,
  writes: Pick<Writes, 'since'>,
): Promise<Target[]> {
  const store = new TargetStore(client, localTables.tenants);
  const end = Date.now() + longestWaitMs;
  for (;;) {
    const begun = Date.now();
    const { targets } = await store.load(localExports);
    const found = localExports.flatMap((one) => {
      const target = targets.get(describeTarget(one));
      return target ? [{ target, isPending: isPending(target, one) }] : [];
    });
    const waiting = found.filter(({ isPending }) => isPending);
    if (waiting.length === 0) return found.map(({ target }) => target);
    if (begun > end)
      throw new Error(`Not active: ${waiting.map(({ target }) => explain(target)).join('; ')}`);
    await writes.since(begun, localTables.tenants, AbortSignal.timeout(Math.max(0, end - begun)));
  }
}

const explain = (target: Target): string =>
  `${describeTarget(target)} (${target.fault?.reason ?? target.state})`;
