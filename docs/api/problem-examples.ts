import { Refusal, type RefusalCode } from '../../core/domain/refusal.ts';
import { parse } from '../../core/http/parse.ts';
import { problemDocument, problems } from '../../core/http/problems.ts';
import { pushBody } from '../../core/http/request-schemas.ts';
import * as v from 'valibot';

const traceId = 'bVd2Ck5xliAEPaw=';

const details: Partial<Record<RefusalCode, string>> = {
  'invalid-signature': "The signature does not verify with the device's key.",
  'unsupported-media-type': 'Expected the header Content-Type: application/json.',
};

/** The service's own faults, from its own check. */
function invalidRequest(): Refusal {
  try {
    parse(v.object({ body: pushBody }), { body: { nonce: 'short', message: 'Hello' } });
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('The example request is not refused');
}

function refusalOf(code: RefusalCode): Refusal {
  if (code === 'invalid-request') return invalidRequest();
  const detail = details[code] ?? `${problems[code].title}.`;
  return new Refusal(code, detail, {
    ...(code === 'clock-skew' && { serverTime: '2026-03-02T10:00:08.450Z' }),
  });
}

/** One example of each problem document. */
export const problemExamples = Object.fromEntries(
  (Object.keys(problems) as RefusalCode[]).map((code) => [
    code,
    { summary: problems[code].title, value: problemDocument(refusalOf(code), traceId) },
  ]),
);
