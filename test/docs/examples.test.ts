/** What the document shows must be what a caller would really see, send and be able to check. */
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { readMessage, verify, type MessageType } from '../../core/devices/protocol/jws.ts';
import { problems } from '../../core/http/problems.ts';
import { deviceOperations } from '../../tools/documents/api/device-operations.ts';
import {
  denialClaims,
  exampleAnswers,
  exampleCalls,
  exampleClaims,
  exampleHeaders,
  exampleKey,
  exampleMessages,
  exampleRequests,
} from '../../tools/documents/api/examples.ts';
import { openOperations } from '../../tools/documents/api/open-operations.ts';
import { operationIdOf } from '../../tools/documents/api/paths.ts';
import { problemExamples } from '../../tools/documents/api/problem-examples.ts';
import { refusals } from '../../tools/documents/api/refusals.ts';
import { websiteOperations } from '../../tools/documents/api/website-operations.ts';
import { verifyEvidence } from '#website';
import { routes } from '../../lambdas/routes.ts';
import { expectAnswer, expectSchema } from '../support/openapi.ts';

const successes = Object.fromEntries(
  Object.entries({ ...websiteOperations, ...deviceOperations, ...openOperations }).map(
    ([lambda, { success }]) => [lambda, success],
  ),
);

test.each(routes.map(({ lambda }) => lambda))('the examples of %s have the form of its answers', (lambda) => {
  const success = successes[lambda];
  for (const { value } of Object.values(success?.content?.examples ?? {}))
    expectAnswer(operationIdOf(lambda), success?.status ?? 0, JSON.parse(JSON.stringify(value)));
  for (const code of refusals[lambda])
    expectAnswer(operationIdOf(lambda), problems[code].status, problemExamples[code]?.value);
});

test('problems of events name the wrong events', () => {
  const pointersOf = (code: string) => problemExamples[code]?.value.errors?.map(({ pointer }) => pointer);
  expect(pointersOf('wrong-tenant')).toEqual(['/events/0/metadata/tenantId', '/events/1/metadata/tenantId']);
  expect(pointersOf('reserved-type')).toEqual(['/events/0/metadata/type', '/events/1/metadata/type']);
  expect(pointersOf('event-id-already-used')).toEqual(['/events/1/metadata/eventId']);
});

test('the examples of requests have the documented form', () => {
  expectSchema('PushRequest', exampleRequests.push);
  expectSchema('EnrolmentRequest', exampleRequests.enrolment);
  expectSchema('RecordRequest', exampleRequests.record);
});

test('requests to other services have the documented form', () => {
  const sent = (call: object): unknown => JSON.parse(JSON.stringify(call));
  expectSchema('Callback', sent(exampleCalls.callback));
  expectSchema('Callback', sent(exampleCalls.expired));
  expectSchema('Ping', sent(exampleCalls.ping));
  const pending = { ...exampleCalls.callback, data: exampleAnswers.pending };
  expect(() => expectSchema('Callback', sent(pending))).toThrow('/data');
});

describe.each(Object.keys(exampleMessages) as (keyof typeof exampleMessages)[])('%sMessage', (name) => {
  const jws = exampleMessages[name];
  const header = exampleHeaders[name];
  const claims = exampleClaims[name];

  test('holds the shown header and claims in the documented form', () => {
    expect(decodeProtectedHeader(jws)).toEqual(header);
    expect(decodeJwt(jws)).toEqual(claims);
    expectSchema(`${name}Message`, jws);
    expectSchema(`${name}Header`, header);
    expectSchema(`${name}Claims`, claims);
  });

  test('is accepted by the service at its time', async () => {
    const expected = { baseUrls: [claims.aud] as const, key: exampleKey, now: claims.iat * 1000 };
    await verify(readMessage(jws, header.typ as MessageType), expected);
  });
});

test.each(['alg', 'typ', 'kid'])(
  'a message without the header %s does not have the documented form',
  (name) => {
    const rest = Object.entries(exampleHeaders.Answer).filter(([member]) => member !== name);
    expect(() => expectSchema('AnswerHeader', Object.fromEntries(rest))).toThrow(name);
  },
);

test('a message with the header crit does not have the documented form', () => {
  expect(() => expectSchema('AnswerHeader', { ...exampleHeaders.Answer, crit: ['b64'] })).toThrow('crit');
});

test.each([
  ['confirmed', exampleClaims.Answer],
  ['denied', denialClaims],
] as const)('the evidence of the %s example can be checked offline', async (status, claims) => {
  const confirmation = exampleAnswers[status] as Parameters<typeof verifyEvidence>[0];
  const { tenantId, userId } = exampleAnswers.enrolled;
  const trust = { baseUrl: claims.aud, keys: exampleAnswers.publishedKeys };
  const asked = { ...exampleRequests.push, ...trust, tenantId, userId };
  expect(await verifyEvidence(confirmation, asked)).toEqual(claims);
});
