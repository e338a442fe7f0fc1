import type { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerResult,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda';
import type { WebsiteCaller } from '../../core/domain/tenant.ts';
import { type RouteDefinition, routeKeyOf, routes } from '../routes.ts';
import type { VerifyToken } from './token-verifier.ts';
import { Unauthenticated } from './unauthenticated.ts';
import { identifyCaller, type TenantLookup } from './website-caller.ts';

export type Dependencies = TenantLookup & { verifyToken: VerifyToken; logger: Logger };

type Answer = APIGatewaySimpleAuthorizerResult | APIGatewaySimpleAuthorizerWithContextResult<WebsiteCaller>;

const scopeOfRoute = new Map(
  routes.flatMap((route: RouteDefinition) =>
    route.caller === 'website' ? [[routeKeyOf(route), route.scope] as const] : [],
  ),
);

function requiredScope(routeKey: string): string {
  const scope = scopeOfRoute.get(routeKey);
  if (scope === undefined) throw new Error(`The route ${routeKey} takes no access token`);
  return scope;
}

/** RFC 6750, section 2.1: one token, after a scheme in letters of any case. */
function bearerToken(header = ''): string {
  const token = /^bearer +([\w\-.~+/]+=*)$/i.exec(header)?.[1];
  if (token === undefined) throw new Unauthenticated('no-bearer-token');
  return token;
}

async function authorize(event: APIGatewayRequestAuthorizerEventV2, deps: Dependencies): Promise<Answer> {
  const scope = requiredScope(event.routeKey);
  const token = await deps.verifyToken(bearerToken(event.headers?.['authorization']));
  const caller = await identifyCaller(token, deps);
  const isAuthorized = token.scopes.has(scope);
  const { tenantId, clientId } = caller;
  if (isAuthorized) deps.logger.info('authorized', { tenantId, clientId });
  else deps.logger.warn('forbidden', { reason: 'missing-scope', scope, tenantId, clientId });
  return isAuthorized ? { isAuthorized, context: caller } : { isAuthorized };
}

/**
 * API Gateway makes 401 of an error with just this message, and 500 of every other one; neither is cached, as
 * an answer is. So a fault never stands as a denial.
 */
function failure(error: unknown, logger: Logger): Error {
  if (error instanceof Unauthenticated) {
    const { reason, clientId } = error;
    logger.warn('unauthenticated', { reason, clientId });
    return new Error('Unauthorized');
  }
  logger.error('fault', { error });
  return new Error('The access token could not be checked', { cause: error });
}

/** The scope authorizer of every website route: an HTTP API Lambda authorizer, format 2.0, simple response. */
export const createHandler = (deps: Dependencies) =>
  middy<APIGatewayRequestAuthorizerEventV2, Answer>()
    .use(injectLambdaContext(deps.logger, { resetKeys: true }))
    .handler(async (event) => {
      deps.logger.appendKeys({ routeKey: event.routeKey });
      try {
        return await authorize(event, deps);
      } catch (error) {
        throw failure(error, deps.logger);
      }
    });
