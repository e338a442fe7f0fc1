import type { SQSRecord } from 'aws-lambda';
import { callsIn, calledBy, LONGEST_CHAIN, readLineage, traceHeader } from '../lambda/lineage.ts';

/** Messages that the function gets, with the trace of this call, and those whose chain ends here. */
export type CheckedMessages = { passed: SQSRecord[]; stopped: SQSRecord[]; trace: string };

const lineageOf = ({ attributes }: SQSRecord) => readLineage(attributes.AWSTraceHeader);

/**
 * What Lambda does about functions that feed the queue that calls them: the 17th call of a chain is not made. Its message
 * stays in the queue, until it was taken as often as the queue allows.
 */
export function detectLoops(
  records: readonly SQSRecord[],
  lambda: string,
  mayLoop: boolean,
): CheckedMessages {
  const isOver = (record: SQSRecord): boolean =>
    !mayLoop && callsIn(lineageOf(record), lambda) >= LONGEST_CHAIN;
  const passed = records.filter((record) => !isOver(record));
  return {
    passed,
    stopped: records.filter(isOver),
    trace: traceHeader(calledBy(passed.map(lineageOf), lambda)),
  };
}
