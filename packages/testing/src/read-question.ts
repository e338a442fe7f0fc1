import type { RequestFault, SendRequest } from '@omi/website';
import { Problem } from './problem.ts';

const longestMessage = 256;
const lifetimeSeconds = { least: 30, most: 600 };

/** @throws {Problem} `invalid-request`, for what websites most easily get wrong; the service finds more */
export function readQuestion(
  userId: string,
  { authorizationDetails: details, ...request }: Record<string, unknown>,
): SendRequest & { nonce: string } {
  const { message, expiresIn } = request;
  const errors: RequestFault[] = [];
  if (typeof message !== 'string' || message === '' || Array.from(message).length > longestMessage)
    errors.push({ pointer: '#/message', detail: `Expected a text of 1 to ${longestMessage} characters` });
  else if (/\p{Cc}/u.test(message))
    errors.push({ pointer: '#/message', detail: 'Expected a text without control characters' });
  if (expiresIn !== undefined && !isLifetime(expiresIn))
    errors.push({
      pointer: '#/expiresIn',
      detail: `Expected ${lifetimeSeconds.least} to ${lifetimeSeconds.most} seconds`,
    });
  if (errors.length > 0) throw new Problem(400, 'invalid-request', 'The request is not valid.', { errors });
  return {
    ...(request as { message: string; nonce: string }),
    userId,
    ...(details !== undefined && { details: details as NonNullable<SendRequest['details']> }),
  };
}

const isLifetime = (value: unknown): boolean =>
  Number.isInteger(value) &&
  (value as number) >= lifetimeSeconds.least &&
  (value as number) <= lifetimeSeconds.most;
