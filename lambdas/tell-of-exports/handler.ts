import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { unmarshallItem } from '../../core/aws/dynamodb-client.ts';
import { describeTarget } from '../../core/events/target-ref.ts';
import {
  changesTrouble,
  recordChange,
  tellOfChange,
  type ChangeDeps,
} from '../../core/export/notices/tell-of-change.ts';
import { testContact, type AskedTest, type TestDeps } from '../../core/export/notices/test-contact.ts';
import type { Change } from '../../core/export/notices/state-change.ts';
import { readTarget, refOfKey, tenantOfKey } from '../../core/export/targets/target-item.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';

export type Deps = ChangeDeps & TestDeps;

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

/** What the state that people see follows from. Counts, which come with every batch of events, are not among it. */
const telling = [
  'state',
  'destination',
  'fault',
  'testFault',
  'bucketTrouble',
  'givenUp',
  'lastTest',
  'verifiedAt',
];

const isSame = (before: Image, after: Image): boolean =>
  telling.every((name) => isDeepStrictEqual(before[name], after[name]));

const targetIn = (image: Image | undefined): Target | undefined =>
  image && readTarget(unmarshallItem(image as Parameters<typeof unmarshallItem>[0]));

/** @returns nothing for a record that changes nothing of what people see, or that is malformed */
function changeIn({ dynamodb }: DynamoDBRecord): Change | undefined {
  const {
    OldImage,
    NewImage,
    SequenceNumber: sequenceNumber = '',
    ApproximateCreationDateTime = 0,
  } = dynamodb ?? {};
  if (!NewImage || (OldImage && isSame(OldImage, NewImage))) return undefined;
  const [ref, after] = [refOfKey({ pk: NewImage['pk']?.S, sk: NewImage['sk']?.S }), targetIn(NewImage)];
  if (ref && after)
    return {
      ref,
      before: targetIn(OldImage),
      after,
      sequenceNumber,
      at: ApproximateCreationDateTime * 1_000,
    };
  // As a failure it would come again without end, with everything behind it.
  logger.error('unreadable', { sequenceNumber });
  return undefined;
}

/** @returns the test that a write of a contact asks for */
function askedTestIn({ dynamodb }: DynamoDBRecord): AskedTest | undefined {
  const { pk, askedTest } = dynamodb?.NewImage ?? {};
  const tenantId = tenantOfKey(pk?.S);
  const id = askedTest?.S;
  return tenantId !== undefined && id !== undefined ? { tenantId, id } : undefined;
}

/** Records each change of a target's state, tells who has to know, and tests contacts. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> => {
    const tests = Records.flatMap((record) => askedTestIn(record) ?? []);
    const changes = Records.flatMap((record) => (askedTestIn(record) ? [] : (changeIn(record) ?? [])));
    const byTarget = Map.groupBy(changes, ({ ref }) => describeTarget(ref));
    const [failed] = await Promise.all([
      Promise.all([...byTarget.values()].map(async (its) => await handleAll(deps, its))),
      Promise.all(tests.map(async (test) => await tryTest(deps, test))),
    ]);
    return failures(failed.flat());
  };

/** The operator waits for the outcome, and asks again without one. */
async function tryTest(deps: Deps, test: AskedTest): Promise<void> {
  try {
    await testContact(deps, test, Date.now());
  } catch (error) {
    logger.error('contact not tested', { tenantId: test.tenantId, fault: describeFault(error) });
  }
}

/** In their order. @returns the first that must come again, with those behind it */
async function handleAll(deps: Deps, changes: readonly Change[]): Promise<string[]> {
  for (const change of changes) {
    try {
      await recordChange(deps, change);
    } catch (error) {
      logger.error('not recorded', { ...change.ref, fault: describeFault(error) });
      return [change.sequenceNumber];
    }
  }
  const last = changes.findLast(changesTrouble);
  if (last) await tellOfChange(deps, last);
  return [];
}
