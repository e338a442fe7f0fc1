/** The helper that holds real answers against the document must notice what is wrong with one. */
import { describe, expect, test } from '@jest/globals';
import { exampleAnswers } from '../../tools/documents/api/examples.ts';
import { problemExamples } from '../../tools/documents/api/problem-examples.ts';
import { expectAnswer, operationAt } from '../support/openapi.ts';

const { accepted, acceptedWithNumber, confirmed } = exampleAnswers;
const problem = (code: string): object => problemExamples[code]?.value ?? {};
const without = (value: object, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));

describe('a wrong answer', () => {
  test.each([
    ['with a status that the operation does not have', 418, accepted, /has no 418 for getConfirmation/],
    [
      'with a member that is not documented',
      200,
      { ...confirmed, clientId: 'x' },
      /must NOT have additional properties .*clientId/,
    ],
    [
      'without a member that is documented',
      200,
      without(confirmed, 'delivery'),
      /must have required property 'delivery'/,
    ],
    [
      'with a value of another form',
      200,
      { ...confirmed, createdAt: '2026-03-02T10:00:00Z' },
      /createdAt must match pattern/,
    ],
    [
      'with evidence that nobody can verify',
      200,
      without(confirmed, 'deviceKey'),
      /must have properties deviceKey, receipt, decidedAt when property evidence is present/,
    ],
    ['that tells the number to match again', 200, acceptedWithNumber, /matchCode boolean schema is false/],
    [
      'with a code that the operation does not have',
      404,
      problem('device-not-found'),
      /code must be equal to one of the allowed values/,
    ],
    [
      'with a code of another status',
      404,
      { ...problem('confirmation-not-found'), status: 410 },
      /status must be equal to constant/,
    ],
    [
      'that names no fault of an invalid request',
      400,
      without(problem('invalid-request'), 'errors'),
      /must have required property 'errors'/,
    ],
    [
      'with a stack trace',
      503,
      { ...problem('temporarily-unavailable'), stack: 'at' },
      /must NOT have additional properties .*stack/,
    ],
    ['that is empty where a body belongs', 200, undefined, /must be object/],
  ])('is detected %s', (_, status, body, fault) => {
    expect(() => expectAnswer('getConfirmation', status, body)).toThrow(fault);
  });

  test('is detected if it does not name the rejected events', () => {
    for (const code of ['wrong-tenant', 'event-id-already-used']) {
      const { status } = problemExamples[code]?.value ?? { status: 0 };
      const body = without(problem(code), 'errors');
      expect(() => expectAnswer('recordEvents', status, body)).toThrow(
        /must have required property 'errors'/,
      );
    }
  });

  test('is detected if it has the code of another status, where both name events', () => {
    const body = { ...problem('reserved-type'), code: 'event-id-already-used' };
    expect(() => expectAnswer('recordEvents', 403, body)).toThrow(/code must be equal to one of/);
  });

  test('is detected if it has an unexpected body', () => {
    expect(() => expectAnswer('removeDevice', 204, {})).toThrow(/removeDevice answered 204/);
  });
});

describe('a right answer', () => {
  test('is accepted as the service sends it', () => {
    expectAnswer('getConfirmation', 200, confirmed);
    expectAnswer('getConfirmation', 404, problem('confirmation-not-found'));
    expectAnswer('removeDevice', 204, '');
  });

  test("is accepted in the gateway's own form", () => {
    for (const status of [401, 403, 429, 500, 503]) expectAnswer('listDevices', status, { message: 'No' });
    expectAnswer('sendToUser', 413, { message: 'Request Entity Too Large' });
  });
});

test.each([
  ['GET', '/omi/push/confirmation', 'getConfirmation'],
  ['POST', '/omi/push/user/anna@shop', 'sendToUser'],
  ['POST', '/omi/push/user/anna@shop/device/1', 'sendToDevice'],
  ['DELETE', '/omi/device', 'unregisterDevice'],
  ['PATCH', '/omi/device', undefined],
  ['GET', '/omi/device/', undefined],
  ['GET', '/omi/users//devices', undefined],
])('%s %s belongs to the operation %s', (method, path, operationId) => {
  expect(operationAt(method, path)).toBe(operationId);
});
