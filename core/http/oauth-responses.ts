import type { Logger } from '@aws-lambda-powertools/logger';
import type { MiddlewareObj } from '@middy/core';
import { ConflictError } from '../kernel/conflict-error.ts';
import { describeFault } from '../kernel/observability.ts';
import { Refusal } from '../kernel/refusal.ts';
import { OAuthError } from '../openid/oauth-error.ts';
import { countOAuthError } from '../openid/openid-metrics.ts';
import type { ApiEvent } from './api-event.ts';
import { problems } from './problems.ts';
import { json, type HttpResponse } from './responses.ts';

/** Seconds: long enough for a throttled table to recover. */
const retryAfter = 2;

const unavailable = (cause: unknown): OAuthError =>
  new OAuthError('temporarily_unavailable', 'The service cannot answer now. Try the same call again.', {
    retryAfter,
    cause,
  });

/** A body that cannot be read as a form. Every other refusal of the service is a fault here. */
const isUnreadable = (error: unknown): error is Refusal =>
  error instanceof Refusal && ['too-large', 'unsupported-media-type'].includes(error.code);

function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (!isUnreadable(error)) return unavailable(error);
  const { status } = problems[error.code];
  // RFC 6749 knows 400 for requests of another form.
  return new OAuthError('invalid_request', error.message, { status: status === 415 ? 400 : status });
}

/** A client polls until its user has answered: that is neither worth a line nor a count. */
const isUsual = ({ code }: OAuthError): boolean => code === 'authorization_pending';

function log(logger: Logger, { code, status, cause }: OAuthError): void {
  const outcome = { outcome: code, status };
  if (status < 500) logger.info('refused', outcome);
  else if (cause instanceof ConflictError) logger.warn('conflict', outcome);
  else logger.error('failed', { ...outcome, fault: describeFault(cause) });
}

/** RFC 9110, section 11.6.1: every 401 says how to authenticate. */
const challengeOf = ({ status }: OAuthError): Record<string, string> =>
  status === 401 ? { 'www-authenticate': 'Basic realm="omi"' } : {};

function responseTo(error: OAuthError): HttpResponse {
  const { code, message, status, retryAfter: wait } = error;
  return json(
    status,
    { error: code, error_description: message },
    { ...(wait !== undefined && { 'retry-after': String(wait) }), ...challengeOf(error) },
  );
}

/** Errors of OAuth endpoints in the form of RFC 6749, section 5.2. */
export const respondToOAuthErrors = (logger: Logger): MiddlewareObj<ApiEvent, HttpResponse> => ({
  onError: (request) => {
    const error = asOAuthError(request.error);
    if (!isUsual(error)) {
      log(logger, error);
      countOAuthError(error.code);
    }
    request.response = responseTo(error);
  },
});
