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
import type { UnauthenticatedCaller } from '../../core/http/unauthenticated.ts';
import { type RouteDefinition, routeKeyOf, routes } from '../routes.ts';
import type { Environment } from './env.ts';
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
 * What makes a 401 of a token that is not valid. It is an answer and no error, so it never rings an alarm. API Gateway
 * documents no status but 403 for a simple response that denies; docs/adr/ has why these two.
 */
const unauthorized = {
  /** The call goes on to the endpoint's Lambda, which refuses it (`core/http/api-lambda.ts`). */
  lambda: { isAuthorized: true, context: { unauthenticated: true } },
  /** API Gateway answers 401 itself, where it takes this answer for that. */
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
  if (deps.edge?.isRequired && !cameThroughEdge(deps.edge, event.headers)) {
    deps.logger.warn('forbidden', { reason: 'not-through-the-edge' });
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

/** API Gateway makes 500 of every error, and caches none: so a fault of ours never stands as a denial. */
function fault(error: unknown, logger: Logger): Error {
  logger.error('fault', { error, fault: describeFault(error) });
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
        if (!(error instanceof Unauthenticated)) throw fault(error, deps.logger);
        const { reason, clientId } = error;
        deps.logger.warn('unauthenticated', { reason, clientId });
        return unauthorized[deps.unauthorizedBy ?? 'lambda'];
      }
    });
