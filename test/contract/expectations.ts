/** What holds for every answer of the service, checked at each use. */
import { expect } from '@jest/globals';
import type { Failure } from '../../client/contract.ts';
import type { Answer } from '../../client/http.ts';

/** RFC 3339 in UTC with milliseconds. */
export const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const expectTime = (value: unknown) => expect(value).toMatch(timePattern);

/** Names of our own parts, of AWS's, and stack frames: nothing of it belongs into an answer. */
export const leakPattern = /arn:aws|exception|dynamodb|amazonaws|\n\s+at |node_modules|\.m?[jt]s:\d/i;

/** The body of a success with exactly this status. */
export function succeeded<Body>(answer: Answer<Body>, status: number): Body {
  if (!answer.ok || answer.status !== status)
    throw new Error(`Expected ${status}, but the answer is ${answer.status} ${answer.text}`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  if (status === 204) expect(answer.text).toBe('');
  else expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/);
  return answer.body;
}

const title = expect.stringMatching(/\S/);

/** A problem document of a Lambda with exactly its members; `extra` names further ones. */
export function expectProblem(
  answer: Answer<unknown>,
  status: number,
  code: string,
  extra: Record<string, unknown> = {},
): Failure {
  if (answer.ok || answer.status !== status || answer.body.code !== code)
    throw new Error(`Expected ${status} ${code}, but the answer is ${answer.status} ${answer.text}`);
  expect(answer.body).toEqual({
    type: expect.stringMatching(new RegExp(`^http://[^/]+/problems/${code}$`)),
    title,
    status,
    detail: title,
    code,
    traceId: title,
    ...extra,
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.text).not.toMatch(leakPattern);
  return answer.body;
}

/** 400 `invalid-request` that names exactly these places, each at least once. */
export const expectFaults = (answer: Answer<unknown>, ...pointers: string[]): void => {
  expectFaultsOf('invalid-request', answer, ...pointers);
};

/** As {@link expectFaults}, with a code of its own. */
function expectFaultsOf(code: string, answer: Answer<unknown>, ...pointers: string[]): void {
  const faults = expect.arrayContaining([{ pointer: expect.any(String), detail: title }]);
  const { errors = [] } = expectProblem(answer, 400, code, { errors: faults });
  expect([...new Set(errors.map(({ pointer }) => pointer))].sort()).toEqual([...pointers].sort());
  for (const error of errors) expect(error).toEqual({ pointer: expect.any(String), detail: title });
}

/** A 429 or 503 says when to come back, in whole seconds. */
export function retryAfterOf(answer: Answer<unknown>): number {
  const value = answer.headers.get('retry-after');
  expect(value).toMatch(/^[1-9]\d*$/);
  return Number(value);
}

/** An answer of the gateway itself: `{ "message": … }` and nothing else. */
export function expectGatewayAnswer(answer: Answer<unknown>, status: number): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { message: expect.any(String) },
  });
}

/** An object that has these members, may have the others named, and nothing else. */
export function expectMembers(value: object, required: string[], optional: string[] = []): void {
  const found = Object.keys(value);
  expect(found.filter((name) => !optional.includes(name)).sort()).toEqual([...required].sort());
}

/** The problem without what differs from call to call. */
export const withoutTrace = ({ body, status }: Answer<unknown>) => {
  return { status, body: { ...(body as Failure), traceId: undefined } };
};
