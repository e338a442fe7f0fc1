import type { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerResult,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda';
import { changedSettings, type SerializedCaller } from '../../core/tenants/tenant.ts';
import { describeFault } from '../../core/kernel/observability.ts';
import { cameThroughEdge, type Edge } from '../../core/http/edge.ts';
import type { UnauthenticatedCaller } from '../../core/http/reject-unauthenticated.ts';
import { type RouteDefinition, routeKeyOf, routes } from '../routes.ts';
import type { Environment } from './env.ts';
import { bearerToken } from '../../core/access/bearer-token.ts';
import type { VerifyToken } from '../../core/access/token-verifier.ts';
import { Unauthenticated } from '../../core/access/unauthenticated.ts';
import { identifyCaller, type TenantLookup } from '../../core/access/website-caller.ts';

export type Dependencies = TenantLookup & {
  verifyToken: VerifyToken;
  unauthorizedBy?: Environment['UNAUTHORIZED_BY'];
  edge?: Edge | undefined;
  logger: Logger;
};

/**
 * Two ways to respond with 401 to an invalid token. Neither is an error, so neither triggers an alarm. API Gateway documents
 * only 403 for a simple response that denies; docs/adr/0013-who-answers-401.md has the reasons.
 */
const unauthorized = {
  /** The request goes on to the endpoint's Lambda, which rejects it (`core/http/reject-unauthenticated.ts`). */
  lambda: { isAuthorized: true, context: { unauthenticated: true } },
  /** API Gateway itself responds with 401, if it accepts this form. */
  gateway: { errorMessage: 'Unauthorized' },
} as const;

type Answer =
  | APIGatewaySimpleAuthorizerResult
  | APIGatewaySimpleAuthorizerWithContextResult<SerializedCaller | UnauthenticatedCaller>
  | (typeof unauthorized)['gateway'];

const scopeOfRoute = new Map(
  routes.flatMap((route: RouteDefinition) =>
    route.caller === 'website' ? [[routeKeyOf(route), route.scope] as const] : [],
  ),
);

function requiredScope(routeKey: string): string {
  const scope = scopeOfRoute.get(routeKey);
  if (scope === undefined) throw new Error(`The route ${routeKey} does not take an access token`);
  return scope;
}

async function authorize(event: APIGatewayRequestAuthorizerEventV2, deps: Dependencies): Promise<Answer> {
  const scope = requiredScope(event.routeKey);
  if (deps.edge?.isRequired && !cameThroughEdge(deps.edge, event.headers)) {
    deps.logger.warn('forbidden', { reason: 'bypassed-cloudfront' });
    return { isAuthorized: false };
  }
  const token = await deps.verifyToken(bearerToken(event.headers?.['authorization']));
  const caller = await identifyCaller(token, deps);
  const isAuthorized = token.scopes.has(scope);
  const { tenantId, clientId } = caller;
  if (isAuthorized) deps.logger.info('authorized', { tenantId, clientId });
  else deps.logger.warn('forbidden', { reason: 'missing-scope', scope, tenantId, clientId });
  if (!isAuthorized) return { isAuthorized };
  return { isAuthorized, context: { ...caller, settings: changedSettings(caller.settings) } };
}

/** API Gateway turns every error into a 500 that it does not cache, so a fault never becomes a cached denial. */
function fault(error: unknown, logger: Logger): Error {
  logger.error('fault', { error, fault: describeFault(error) });
  return new Error('The access token could not be verified', { cause: error });
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
        if (!(error instanceof Unauthenticated)) throw fault(error, deps.logger);
        const { reason, clientId } = error;
        deps.logger.warn('unauthenticated', { reason, clientId });
        return unauthorized[deps.unauthorizedBy ?? 'lambda'];
      }
    });
