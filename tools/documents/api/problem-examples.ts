import { Refusal, type RefusalCode } from '../../../core/kernel/refusal.ts';
import { parseRequest } from '../../../core/http/parse-request.ts';
import { problemDocument, problems } from '../../../core/http/problems.ts';
import { pushRefusal } from '../../../core/http/push-request.ts';
import { pushBody } from '../../../core/http/request-schemas.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { idsTaken, readEvents } from '../../../core/events/read-events.ts';
import * as v from 'valibot';
import { exampleRequests } from './examples.ts';

const traceId = 'bVd2Ck5xliAEPaw=';

const details: Partial<Record<RefusalCode, string>> = {
  'invalid-signature': "The signature does not verify with the device's key.",
  'unsupported-media-type': 'Expected the header Content-Type: application/json.',
};

/** What the service's own check of a request says. */
function refusalFrom(check: () => unknown): Refusal {
  try {
    check();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('The example request is not refused');
}

const { events } = exampleRequests.record;
const reserved = events.map((event) => ({
  ...event,
  metadata: { ...event.metadata, type: 'UserDeviceRegisteredEvent' },
}));
const tenantId = events[0]?.metadata.tenantId ?? '';

const own: Partial<Record<RefusalCode, () => Refusal>> = {
  'invalid-request': () =>
    refusalFrom(() =>
      parseRequest(v.object({ body: pushBody(defaultSettings.longestLifetime) }), {
        body: { nonce: 'short', message: 'Hello' },
      }),
    ),
  invalid_authorization_details: () =>
    refusalFrom(() =>
      parseRequest(
        v.object({ body: pushBody(defaultSettings.longestLifetime) }),
        { body: { ...exampleRequests.push, authorizationDetails: [{ amount: '16.00' }] } },
        pushRefusal,
      ),
    ),
  'wrong-tenant': () => refusalFrom(() => readEvents({ events }, 'another')),
  'reserved-type': () => refusalFrom(() => readEvents({ events: reserved }, tenantId)),
  'event-id-already-used': () => idsTaken([1]),
  'group-not-reachable': () =>
    new Refusal('group-not-reachable', '2 members must confirm, and only 1 can be asked.', {
      errors: [{ pointer: '/members/1', detail: 'This user has no device' }],
    }),
};

function refusalOf(code: RefusalCode): Refusal {
  const refusal = own[code]?.();
  if (refusal) return refusal;
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
