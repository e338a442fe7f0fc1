import { ClientError } from '../client/http.ts';
import { Refusal } from '../core/kernel/refusal.ts';
import { CommandError, UsageError } from './command-error.ts';

const signIn = 'The AWS credentials have expired: sign in again.';
const unknownCredentials = 'AWS does not know these credentials: sign in again, as for the AWS CLI.';
const notAllowed = 'These AWS credentials do not allow it: use those of an operator.';
const passing = 'It passes by itself: run the command again in a minute.';
const isItRunning = 'Nothing answers there: is the stack running?';
const gone = 'Somebody deleted it, or it was never made: "omi doctor" looks at the whole deployment.';

/** The names that AWS's SDK gives to what its callers most often have to mend themselves; of the network, its codes. */
const hints: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'Sign in to AWS first, as for the AWS CLI: AWS_PROFILE, or "aws sso login".',
  ExpiredTokenException: signIn,
  ExpiredToken: signIn,
  UnrecognizedClientException: unknownCredentials,
  InvalidClientTokenId: unknownCredentials,
  AccessDeniedException: notAllowed,
  AccessDenied: notAllowed,
  AuthorizationErrorException: notAllowed,
  ProvisionedThroughputExceededException: passing,
  ThrottlingException: passing,
  Throttling: passing,
  ThrottledException: passing,
  TooManyRequestsException: passing,
  RequestLimitExceeded: passing,
  ServiceUnavailable: passing,
  InternalServerError: passing,
  TimeoutError: 'What was asked for may have been done all the same: look first, then run the command again.',
  ConflictError: passing,
  Unknown: 'What answers there is no AWS: another program, or a proxy?',
  ResourceNotFoundException: gone,
  QueueDoesNotExist: gone,
  ECONNREFUSED: isItRunning,
  ECONNRESET: isItRunning,
  ENOTFOUND: 'There is no such host: is the region right, and the network there?',
};

const namesOf = (error: Error): string[] =>
  'code' in error ? [error.name, String(error.code)] : [error.name];

/** Of the network's errors Node.js says `Error` alone. */
const headingOf = ({ name }: Error): string => (name === 'Error' ? '' : `${name}: `);

/** What went wrong in one line, and what to do where that is known. */
export function explainError(error: unknown): { what: string; hint: string | undefined } {
  if (error instanceof CommandError) return { what: error.message, hint: error.hint };
  if (error instanceof UsageError || error instanceof Refusal || error instanceof ClientError)
    return { what: error.message, hint: undefined };
  if (!(error instanceof Error)) return { what: String(error), hint: undefined };
  const hint = namesOf(error).flatMap((name) => hints[name] ?? [])[0];
  // The SDK's own words name its parts and its settings.
  if (error.name === 'TimeoutError') return { what: 'AWS did not answer in time.', hint };
  const message = (error.message || 'no details').replaceAll(/\s+/g, ' ');
  return { what: `${headingOf(error)}${message}`, hint };
}

/** The same in words for people. */
export function describeError(error: unknown): string {
  const { what, hint } = explainError(error);
  return [`error: ${what}`, hint].filter(Boolean).join('\n');
}
