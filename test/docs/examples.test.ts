/** What the document shows must be what a caller would really see, send and be able to check. */
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { readMessage, verify, type MessageType } from '../../core/devices/protocol/jws.ts';
import { problems } from '../../core/http/problems.ts';
import {
  openApiDocument,
  operations,
  responseAt,
  type Content,
  type Example,
} from '../../tools/documents/api/document.ts';
import { verifyEvidence } from '#website';
import {
  exampleAnswer,
  exampleClaims,
  exampleHeader,
  exampleKey,
  exampleMessage,
  exampleRequest,
  messageNames,
  sentMessages,
} from '../support/documented-examples.ts';
import { expectSchema, faultsOf } from '../support/openapi.ts';

const { components, webhooks } = openApiDocument;

const valueOf = ({ $ref, value }: Example): unknown =>
  $ref === undefined ? value : components.examples[$ref.replace('#/components/examples/', '')]?.value;

/** Why examples of a content do not have its form. */
const faultsIn = (content: Content | undefined): string[] =>
  Object.values(content ?? {}).flatMap(({ schema, examples = {} }) =>
    Object.values(examples).flatMap((example) => faultsOf(schema, valueOf(example))),
  );

const calls = [...operations.values(), ...Object.values(webhooks).map(({ post }) => post)];

test.each(calls.map((operation) => [operation.operationId, operation] as const))(
  'the examples of %s have the form of its parameters, requests and answers',
  (_, { parameters, requestBody, responses }) => {
    for (const { schema, example } of parameters)
      if (example !== undefined) expect(faultsOf(schema, example)).toEqual([]);
    expect(faultsIn(requestBody?.content)).toEqual([]);
    for (const response of Object.values(responses))
      expect(faultsIn(responseAt(response).content)).toEqual([]);
  },
);

test.each(Object.entries(problems))('the example of %s is what the service says', (code, problem) => {
  const { status, title } = problem;
  const shown = { type: `https://api.omi.example/problems/${code}`, code, status, title };
  expect(components.examples[code]?.value).toMatchObject(shown);
});

test('the callback of a confirmation has none that is pending', () => {
  const [{ value } = {}] = Object.values(
    webhooks['confirmationEnded']?.post.requestBody?.content['application/json']?.examples ?? {},
  );
  const pending = { ...(value as object), data: exampleAnswer('getConfirmation', 200, 'pending') };
  expect(() => expectSchema('Callback', pending)).toThrow('/data');
});

test.each(messageNames)('the header and claims of a message %s have the documented form', (name) => {
  expectSchema(`${name}Header`, exampleHeader(name));
  expectSchema(`${name}Claims`, exampleClaims(name));
});

describe.each(sentMessages)('%sMessage', (name) => {
  const jws = exampleMessage(name);
  const header = exampleHeader(name);
  const claims = exampleClaims(name);

  test('holds the shown header and claims', () => {
    expect(decodeProtectedHeader(jws)).toEqual(header);
    expect(decodeJwt(jws)).toEqual(claims);
  });

  test('is accepted by the service at its time', async () => {
    const expected = { baseUrls: [claims.aud] as const, key: exampleKey, now: claims.iat * 1000 };
    await verify(readMessage(jws, header.typ as MessageType), expected);
  });
});

test.each(['alg', 'typ', 'kid'])(
  'a message without the header %s does not have the documented form',
  (name) => {
    const rest = Object.entries(exampleHeader('Answer')).filter(([member]) => member !== name);
    expect(() => expectSchema('AnswerHeader', Object.fromEntries(rest))).toThrow(name);
  },
);

test('a message with the header crit does not have the documented form', () => {
  expect(() => expectSchema('AnswerHeader', { ...exampleHeader('Answer'), crit: ['b64'] })).toThrow('crit');
});

test.each(['confirmed', 'denied'])(
  'the evidence of the %s example can be checked offline',
  async (status) => {
    type Verified = Parameters<typeof verifyEvidence>;
    const confirmation = exampleAnswer('getConfirmation', 200, status) as Verified[0] & { evidence: string };
    const asked = {
      ...exampleRequest('sendToUser', 'push'),
      ...(exampleAnswer('enrolDevice', 201, 'enrolled') as { tenantId: string; userId: string }),
      ...{ baseUrl: exampleClaims('Answer').aud, keys: exampleAnswer('omiKeys', 200, 'keys') },
    } as unknown as Verified[1];
    expect(await verifyEvidence(confirmation, asked)).toEqual(decodeJwt(confirmation.evidence));
  },
);
