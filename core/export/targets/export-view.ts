import { rfc3339 } from '../../kernel/time.ts';
import { describeTargetStatus, faultOf, type TargetStatus } from './target-status.ts';
import { isPlace, type Destination } from '../kinds/records.ts';
import { targetNames } from '../kinds/target-names.ts';
import type { Fault, LastTest, Target, TestEvent } from './target.ts';
import { withoutVendorMessage } from './vendor-message.ts';

/** A target's destination without the external id, and without resources of the operator. */
type DestinationView = { kind: Destination['kind']; [member: string]: unknown };

/** What must be done so that events arrive. */
type ExportAction<Policy> = { who: Fault['actor']; what: string; policy?: Policy };

/** A target as its tenant sees it. Times are RFC 3339. */
export type ExportView<Policy = unknown> = {
  category: Target['category'];
  destination: DestinationView;
  state: TargetStatus['state'];
  since: string;
  reason: string;
  /** Identifies the reason. Absent if nothing is wrong. */
  code?: string;
  action?: ExportAction<Policy>;
  accepted: number;
  delivered: number;
  waiting: number;
  oldestWaitingAt: string | null;
  /** `null`: all types are exported. */
  types: readonly string[] | null;
  /** `null`: this destination was never tested. */
  lastTest: TestView | null;
  /** What else the operator sees of a bucket and of replays. */
  replayed?: number;
  inBucket?: number;
  givenUp?: NonNullable<TargetStatus['givenUp']>;
  /** A remark, although nothing is wrong. */
  warning?: string;
};

/** The last test of trust, or the one that was asked for since. */
type TestView = {
  outcome: LastTest['outcome'];
  requestedAt: string;
  /** The event that it sends, if one was asked for. */
  event?: TestEvent;
  endedAt?: string;
  code?: string;
  reason?: string;
  /** When the service repeats it. */
  nextAt?: string;
};

/** @param policy the statement to change, if a policy of the tenant is wrong */
export function exportView<Policy>(target: Target, now: number, policy?: Policy): ExportView<Policy> {
  const status = describeTargetStatus(target, now);
  const { state, since, accepted, delivered, parked, oldestWaitingMs, replayed, inBucket, givenUp, warning } =
    status;
  const action = actionOf(target, status, policy);
  const code = (faultOf(target) ?? target.bucketTrouble)?.code;
  return {
    category: target.category,
    destination: destinationView(target.destination),
    state,
    since,
    reason: reasonFor(status),
    ...(code !== undefined && { code }),
    ...(action && { action }),
    accepted,
    delivered,
    waiting: parked,
    oldestWaitingAt: oldestWaitingMs === undefined ? null : rfc3339(now - oldestWaitingMs),
    types: target.types ?? null,
    lastTest: target.lastTest ? testView(target.lastTest) : null,
    ...(replayed !== undefined && { replayed }),
    ...(inBucket !== undefined && { inBucket }),
    ...(givenUp && { givenUp }),
    ...(warning !== undefined && { warning }),
  };
}

function destinationView(destination: Destination): DestinationView {
  if (!isPlace(destination)) return { kind: destination.kind };
  const members: Record<string, unknown> = destination;
  const shown = Object.keys(targetNames[destination.kind].parts).filter(
    (part) => members[part] !== undefined,
  );
  return { kind: destination.kind, ...Object.fromEntries(shown.map((part) => [part, members[part]])) };
}

const testView = ({ outcome, event, requestedAt, endedAt, code, reason, nextAt }: LastTest): TestView => ({
  outcome,
  ...(event && { event }),
  requestedAt: rfc3339(requestedAt),
  ...(endedAt !== undefined && { endedAt: rfc3339(endedAt) }),
  ...(code !== undefined && { code }),
  ...(reason !== undefined && { reason: withoutVendorMessage(reason) }),
  ...(nextAt !== undefined && { nextAt: rfc3339(nextAt) }),
});

/** What AWS says about resources of the operator is none of the tenant's business. */
const reasonFor = ({ actor, reason }: TargetStatus): string =>
  actor === 'tenant' ? reason : withoutVendorMessage(reason);

function actionOf<Policy>(
  target: Target,
  status: TargetStatus,
  policy: Policy | undefined,
): ExportAction<Policy> | undefined {
  if (status.state === 'active' && !faultOf(target)) return undefined;
  const { actor: who, reason } = status;
  const what = [whatToDo(who, reason), who === 'tenant' ? thenTest(target) : ''].filter(Boolean).join(' ');
  return { who, what, ...(policy !== undefined && { policy }) };
}

const withoutWords: Record<Fault['actor'], string> = {
  tenant: 'The tenant must remove the cause.',
  operator: 'The operator must remove the cause.',
  nobody: 'Nobody needs to act.',
};

/** What follows on the tenant's act, if a test failed. A test that is not repeated waits for the text in the bucket. */
function thenTest({ lastTest }: Target): string {
  if (lastTest?.outcome !== 'failed') return '';
  return lastTest.nextAt === undefined
    ? 'Or ask for a test with this text as the proof.'
    : 'Then ask for a test, or wait for the next one.';
}

/** The sentences of the reason that say what to do. */
function whatToDo(who: Fault['actor'], reason: string): string {
  const sentences = withoutVendorMessage(reason).split(/(?<=\.) (?=[A-Z])/);
  const asked = sentences.filter((sentence) => /\b(must|wait until)\b/.test(sentence));
  return who === 'nobody' || asked.length === 0 ? withoutWords[who] : asked.join(' ');
}
