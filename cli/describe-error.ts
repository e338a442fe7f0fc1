import { OmiError } from '#website';
import { ClientError } from '../client/http.ts';
import { markHidden } from '../core/kernel/hidden-characters.ts';
import { Refusal } from '../core/kernel/refusal.ts';
import { CommandError, UsageError } from './command-error.ts';

const signIn = 'The AWS credentials have expired. Sign in again.';
const unknownCredentials = 'AWS does not know these credentials. Sign in again, as for the AWS CLI.';
const notAllowed = 'These AWS credentials do not allow this. Use those of an operator.';
const temporary = 'This is temporary. Run the command again in a minute.';
const isItRunning = 'Nothing answers there. Is the stack running?';
const missing = 'It was deleted, or never created. "omi doctor" checks the whole deployment.';

/** By the names of the most frequent errors of AWS, and the codes of network errors. */
const hints: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'Sign in to AWS first, as for the AWS CLI: AWS_PROFILE, or "aws sso login".',
  ExpiredTokenException: signIn,
  ExpiredToken: signIn,
  UnrecognizedClientException: unknownCredentials,
  InvalidClientTokenId: unknownCredentials,
  AccessDeniedException: notAllowed,
  AccessDenied: notAllowed,
  AuthorizationErrorException: notAllowed,
  ProvisionedThroughputExceededException: temporary,
  ThrottlingException: temporary,
  Throttling: temporary,
  ThrottledException: temporary,
  TooManyRequestsException: temporary,
  RequestLimitExceeded: temporary,
  ServiceUnavailable: temporary,
  InternalServerError: temporary,
  TimeoutError: 'The change may have been made. Check that, then run the command again.',
  ConflictError: temporary,
  Unknown: 'The answer is not from AWS. Is there another program, or a proxy?',
  ResourceNotFoundException: missing,
  QueueDoesNotExist: missing,
  ECONNREFUSED: isItRunning,
  ECONNRESET: isItRunning,
  ENOTFOUND: 'There is no such host. Is the region right, and the network up?',
};

const namesOf = (error: Error): string[] =>
  'code' in error ? [error.name, String(error.code)] : [error.name];

/** Network errors of Node.js have the name `Error`, which says nothing. */
const headingOf = ({ name }: Error): string => (name === 'Error' ? '' : `${name}: `);

/** The error in one line, and what the operator can do if that is known. */
export function explainError(error: unknown): { what: string; hint: string | undefined } {
  if (error instanceof CommandError) return { what: error.message, hint: error.hint };
  if (error instanceof OmiError) return { what: `${error.code}: ${error.detail}`, hint: error.hint };
  if (error instanceof UsageError || error instanceof Refusal || error instanceof ClientError)
    return { what: error.message, hint: undefined };
  if (!(error instanceof Error)) return { what: String(error), hint: undefined };
  const hint = namesOf(error).flatMap((name) => hints[name] ?? [])[0];
  // The SDK's own message is about its internals.
  if (error.name === 'TimeoutError') return { what: 'AWS did not answer in time.', hint };
  const message = (error.message || 'no details').replaceAll(/\s+/g, ' ');
  return { what: `${headingOf(error)}${message}`, hint };
}

/** The text that people see. What is quoted in it could have controls of the terminal, or forge a line. */
export function describeError(error: unknown): string {
  const { what, hint } = explainError(error);
  return [`error: ${markHidden(what)}`, hint].filter(Boolean).join('\n');
}
