import type { LedgerHour } from '../../core/export/ledger/hour-count.ts';
import { json, type HttpResponse } from '../../core/http/responses.ts';
import { invalidField } from '../../core/kernel/refusal.ts';

/** Bytes of JSON. Lambda answers with 6 MB at most. */
const largestAnswerBytes = 5_000_000;

/** @throws {Refusal} if Lambda could not answer with so much */
export function ledgerAnswer(hours: LedgerHour[]): HttpResponse {
  const answer = json(200, { hours });
  if (Buffer.byteLength(answer.body ?? '') > largestAnswerBytes)
    throw invalidField('#/query/to', 'expected a shorter range: its hours have too many types of events');
  return answer;
}
