import { vendorMessage } from '../targets/vendor-message.ts';
import { slowCodes, type Fault } from '../targets/target.ts';

/** By the error's code: what is wrong, whose action is required, and which. */
export type Known = Record<string, Pick<Fault, 'actor' | 'reason'>>;

export const ofTenant = (reason: string): Pick<Fault, 'actor' | 'reason'> => ({ actor: 'tenant', reason });
export const ofOperator = (reason: string): Pick<Fault, 'actor' | 'reason'> => ({
  actor: 'operator',
  reason,
});

/**
 * Codes of AWS, as they are or in front of what a service names itself (`KMS.InternalException`), and of the network ("Common errors" in
 * each API's reference, and Node.js's system errors).
 */
const passes =
  /Throttl|LimitExceeded|TooManyRequests|ThroughputExceeded|SlowDown|Unavailable|Internal|Timeout|TimedOut|^NoAnswer$|^Http(?:429|5)|^E[A-Z_]+$/;

export const passesByItself = (code: string): boolean => passes.test(code);

/**
 * What an error means that nobody has to act on now.
 *
 * @param passing what is said of one that passes by itself; one that the service does not know may last
 */
export const otherFault = (code: string, passing: string): Pick<Fault, 'actor' | 'reason' | 'lastingActor'> =>
  passesByItself(code)
    ? { actor: 'nobody', reason: passing }
    : {
        actor: 'nobody',
        reason: `The call fails with ${code}. It is made again, less often each time. If this lasts, the operator must find out why.`,
        lastingActor: 'operator',
      };

/** The fault of a target that takes everything, but slowly. */
export const slowTarget: Fault = {
  actor: 'nobody',
  code: slowCodes.slow,
  reason:
    "The target takes more than a second for a call. Nobody needs to act: its events are sent through the queue, where they do not delay other tenants' events, until it is fast again.",
};

const passing =
  'The target is throttled or unavailable. Nobody needs to act: the events are sent again, less often each time.';

export function faultOf(known: Known, code: string, message: string): Fault {
  const found = known[code] ?? otherFault(code, passing);
  return { ...found, code, reason: `${found.reason}${vendorMessage(message)}` };
}

type Answer = { ErrorCode?: string | undefined; ErrorMessage?: string | undefined };
type Explain = (code: string, message?: string) => Fault;

/** The fault of each record of a batch, if it has one. AWS answers in the same order. */
export const faultsOf = (
  batch: readonly unknown[],
  answers: readonly Answer[],
  explain: Explain,
): (Fault | undefined)[] =>
  batch.map((_, index) => {
    const { ErrorCode, ErrorMessage } = answers[index] ?? { ErrorCode: 'NoAnswer' };
    return ErrorCode ? explain(ErrorCode, ErrorMessage) : undefined;
  });

/** AWS's errors have names; those of the network have codes. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  return error.name === 'Error' && 'code' in error ? String(error.code) : error.name;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
