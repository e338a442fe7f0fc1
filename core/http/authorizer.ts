import type { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerResult,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda';
import type { Decision } from '../access/decision.ts';
import { Unauthenticated } from '../access/unauthenticated.ts';
import { describeFault } from '../kernel/observability.ts';
import { cameThroughEdge, type Edge } from './edge.ts';
import type { UnauthenticatedCaller } from './reject-unauthenticated.ts';

/**
 * The token of an `Authorization` header. RFC 6750, section 2.1: one token after the scheme, whose letters may have any case.
 *
 * @throws {Unauthenticated}
 */
function bearerToken(header = ''): string {
  const token = /^bearer +([\w\-.~+/]+=*)$/i.exec(header)?.[1];
  if (token === undefined) throw new Unauthenticated('no-bearer-token');
  return token;
}

export type AuthorizerOptions = {
  /** What responds with 401 to an invalid token: the endpoint's Lambda (default), or API Gateway. */
  unauthorizedBy?: keyof typeof unauthorized | undefined;
  edge?: Edge | undefined;
  logger: Logger;
};

/**
 * Two ways to respond with 401 to an invalid token. Neither is an error, so neither triggers an alarm. API Gateway documents
 * only 403 for a simple response that denies; docs/adr/0013-who-answers-401.md has the reasons.
 */
const unauthorized = {
  /** The request goes on to the endpoint's Lambda, which rejects it (`reject-unauthenticated.ts`). */
  lambda: { isAuthorized: true, context: { unauthenticated: true } },
  /** API Gateway itself responds with 401, if it accepts this form. */
  gateway: { errorMessage: 'Unauthorized' },
} as const;

export type AuthorizerAnswer<Caller> =
  | APIGatewaySimpleAuthorizerResult
  | APIGatewaySimpleAuthorizerWithContextResult<Caller | UnauthenticatedCaller>
  | (typeof unauthorized)['gateway'];

/**
 * Finds out what a token allows at a route. An invalid one throws {@link Unauthenticated}. A route that is not the authorizer's is a
 * fault before anybody looks at the token.
 */
export type Decide<Caller> = (routeKey: string) => (token: string) => Promise<Decision<Caller>>;

async function authorize<Caller>(
  { headers, routeKey }: APIGatewayRequestAuthorizerEventV2,
  decide: Decide<Caller>,
  { edge, logger }: AuthorizerOptions,
): Promise<AuthorizerAnswer<Caller>> {
  const decideOn = decide(routeKey);
  if (edge?.isRequired && !cameThroughEdge(edge, headers)) {
    logger.warn('forbidden', { reason: 'bypassed-cloudfront' });
    return { isAuthorized: false };
  }
  const { caller, logged } = await decideOn(bearerToken(headers?.['authorization']));
  if (caller === undefined) logger.warn('forbidden', logged);
  else logger.info('authorized', logged);
  return caller === undefined ? { isAuthorized: false } : { isAuthorized: true, context: caller };
}

/** API Gateway turns every error into a 500 that it does not cache, so a fault never becomes a cached denial. */
function fault(error: unknown, logger: Logger): Error {
  logger.error('fault', { error, fault: describeFault(error) });
  return new Error('The token could not be verified', { cause: error });
}

/** An HTTP API Lambda authorizer, format 2.0, simple response. */
export const authorizer = <Caller extends object>(decide: Decide<Caller>, options: AuthorizerOptions) => {
  const { logger, unauthorizedBy = 'lambda' } = options;
  return middy<APIGatewayRequestAuthorizerEventV2, AuthorizerAnswer<Caller>>()
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .handler(async (event) => {
      logger.appendKeys({ routeKey: event.routeKey });
      try {
        return await authorize(event, decide, options);
      } catch (error) {
        if (!(error instanceof Unauthenticated)) throw fault(error, logger);
        const { reason, clientId } = error;
        logger.warn('unauthenticated', { reason, clientId });
        return unauthorized[unauthorizedBy];
      }
    });
};
