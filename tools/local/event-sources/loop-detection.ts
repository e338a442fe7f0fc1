import type { SQSRecord } from 'aws-lambda';
import { callsIn, calledBy, longestChain, readLineage, traceHeader } from '../lambda/lineage.ts';

/** The messages that the function gets with the trace of the call, and those whose chain is too long. */
export type CheckedMessages = { passed: SQSRecord[]; stopped: SQSRecord[]; trace: string };

const lineageOf = ({ attributes }: SQSRecord) => readLineage(attributes.AWSTraceHeader);

/**
 * Lambda's detection of recursive loops: it does not make the 17th call of a chain. The message stays in the queue until its
 * maximum receive count.
 */
export function detectLoops(
  records: readonly SQSRecord[],
  lambda: string,
  mayLoop: boolean,
): CheckedMessages {
  const isOver = (record: SQSRecord): boolean =>
    !mayLoop && callsIn(lineageOf(record), lambda) >= longestChain;
  const passed = records.filter((record) => !isOver(record));
  return {
    passed,
    stopped: records.filter(isOver),
    trace: traceHeader(calledBy(passed.map(lineageOf), lambda)),
  };
}
