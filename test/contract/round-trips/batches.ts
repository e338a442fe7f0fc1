import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';
import { callsOf, isOfSession, recordedCalls, recording } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { eventually } from '../../support/waiting.ts';

/** A Lambda of the export, and the streams and delivery streams that it is watched for. */
export type Watched = { lambda: LambdaName; places: readonly string[] };

const reads = ({ operation }: RecordedCall): boolean => operation === 'BatchGetItem';

/** Calls by batch: each begins with the read of its targets, and nothing of the next begins before it is over. */
function split(calls: readonly RecordedCall[]): RecordedCall[][] {
  const batches: RecordedCall[][] = [];
  for (const call of calls) {
    if (reads(call)) batches.push([]);
    batches.at(-1)?.push(call);
  }
  return batches;
}

const puts = ({ operation }: RecordedCall): boolean => /^PutRecord(s|Batch)$/.test(operation);

/** Another target's events were in a batch. What each of the two would have cost alone cannot be told. */
export class SharedBatch extends Error {
  override readonly name = 'SharedBatch';
}

const isPutTo =
  (places: readonly string[]) =>
  ({ resources }: RecordedCall): boolean =>
    resources.some((resource) => places.includes(resource));

/** @throws {SharedBatch} if some of its puts are to these places, and others are not */
function isElsewhere(batch: readonly RecordedCall[], places: readonly string[]): boolean {
  const made = batch.filter(puts);
  const here = made.filter(isPutTo(places));
  if (here.length > 0 && here.length < made.length)
    throw new SharedBatch('A batch had events of others, too.');
  return here.length < made.length;
}

/** A success is noted once a minute, and a busy minute is marked, in whichever batch it is. */
const isNote = ({ operation, resources }: RecordedCall): boolean =>
  operation === 'PutItem' &&
  (resources.includes(localTables.attempts) || resources.includes(localTables.log));

const isDelivery = (call: RecordedCall): boolean => puts(call) || call.operation === 'SendMessageBatch';

const name =
  (lambda: LambdaName) =>
  ({ operation }: RecordedCall): string =>
    `${lambda}: ${operation}`;

/**
 * The calls of each batch in which the Lambda delivered or parked something while the work ran; those with its own
 * credentials, and those with credentials of tenants' roles. Others' batches may come beside it.
 *
 * @throws {SharedBatch}
 */
export async function batchesOf(
  stack: TestStack,
  { lambda, places }: Watched,
  work: () => Promise<unknown>,
): Promise<string[][]> {
  const { calls } = await recording(stack, work);
  const own = new Set(callsOf(lambda, calls).filter((call) => !isNote(call)));
  const made = calls.filter((call) => own.has(call) || (isOfSession(call) && puts(call)));
  const batches = split(made).filter((batch) => batch.some(isDelivery));
  return batches.filter((batch) => !isElsewhere(batch, places)).map((batch) => batch.map(name(lambda)));
}

/**
 * The Lambda's first batch that made such a call, as soon as it is over. Others may come before it: a target that a busy machine
 * has made slow is looked at later.
 */
export async function untilBatch(stack: TestStack, lambda: LambdaName, operation: string): Promise<string[]> {
  return await eventually(`${lambda} calls ${operation}`, async () => {
    const ended = split((await recordedCalls(stack, lambda)).filter((call) => !isNote(call))).slice(0, -1);
    return ended.find((calls) => calls.some((call) => call.operation === operation))?.map(name(lambda));
  });
}
