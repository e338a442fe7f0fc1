import { vendorMessage } from '../targets/vendor-message.ts';
import { slowCodes, type Fault } from '../targets/target.ts';

/** By the error's code: what is wrong, whose action is required, and which. All other errors pass by themselves. */
export type Known = Record<string, Pick<Fault, 'actor' | 'reason'>>;

export const ofTenant = (reason: string): Pick<Fault, 'actor' | 'reason'> => ({ actor: 'tenant', reason });
export const ofOperator = (reason: string): Pick<Fault, 'actor' | 'reason'> => ({
  actor: 'operator',
  reason,
});

const passing: Pick<Fault, 'actor' | 'reason'> = {
  actor: 'nobody',
  reason:
    'The target is throttled or unavailable. Nobody needs to act: the events are sent again, less often each time.',
};

/** The fault of a target that takes everything, but slowly. */
export const slowTarget: Fault = {
  actor: 'nobody',
  code: slowCodes.slow,
  reason:
    "The target takes more than a second for a call. Nobody needs to act: its events are sent through the queue, where they do not delay other tenants' events, until it is fast again.",
};

export function faultOf(known: Known, code: string, message: string): Fault {
  const { actor, reason } = known[code] ?? passing;
  return { actor, code, reason: `${reason}${vendorMessage(message)}` };
}

type Answer = { ErrorCode?: string | undefined; ErrorMessage?: string | undefined };
type Explain = (code: string, message?: string) => Fault;

/** Of each record of a batch, by the answers of AWS in the same order. */
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
