import { Refusal } from '../core/domain/refusal.ts';
import { Failure, Misuse } from './failure.ts';

/** The names that AWS's SDK gives to what its callers most often have to mend themselves. */
const ways: Record<string, string> = {
  CredentialsProviderError: 'Sign in to AWS first, as for the AWS CLI: AWS_PROFILE, or "aws sso login".',
  ExpiredTokenException: 'The AWS credentials have expired: sign in again.',
  ExpiredToken: 'The AWS credentials have expired: sign in again.',
  AccessDeniedException: 'These AWS credentials do not allow it: use those of an operator.',
  AccessDenied: 'These AWS credentials do not allow it: use those of an operator.',
};

/** What went wrong and what to do, in words for people. */
export function describeError(error: unknown): string {
  if (error instanceof Misuse) return `error: ${error.message}`;
  if (error instanceof Failure) return [`error: ${error.message}`, error.way].filter(Boolean).join('\n');
  if (error instanceof Refusal) return `error: ${error.message}`;
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const isUnreachable = 'code' in error && error.code === 'ECONNREFUSED';
  const way = isUnreachable ? 'Nothing answers there: is the stack running?' : ways[error.name];
  return [`error: ${error.name}: ${error.message || 'no details'}`, way].filter(Boolean).join('\n');
}
