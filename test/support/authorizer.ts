import { type LogItem, Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { TenantStore } from '../../core/tenants/tenant-store.ts';
import type { Edge } from '../../core/http/edge.ts';
import { websiteCaller, type WebsiteCaller } from '../../core/tenants/tenant.ts';
import { isUnauthenticated } from '../../core/http/reject-unauthenticated.ts';
import type { Environment } from '../../lambdas/authorize/definition.ts';
import { createHandler } from '../../lambdas/authorize/handler.ts';
import type { Environment as ExportsEnvironment } from '../../lambdas/authorize-exports/definition.ts';
import { createHandler as createExportsHandler } from '../../lambdas/authorize-exports/handler.ts';
import { memberTokens } from '../../core/access/exports-member.ts';
import { createTokenVerifier } from '../../core/access/token-verifier.ts';
import { testDatabase } from './dynamodb.ts';
import { type Claims, secondsFromNow } from './token-issuer.ts';

export const tenantsTable = 'tenants';
export const listDevices = {
  routeKey: 'GET /omi/users/{userId}/devices',
  scope: 'credential:omi:devices:get',
};

export const demo = { tenantId: '0199c0de-0000-7000-8000-000000000001', clientId: 'demo-client' };
export const neighbour = { tenantId: '0199c0de-0000-7000-8000-000000000002', clientId: 'neighbour-client' };

/** A database with two tenants of one client each. */
export async function tenantDatabase(): Promise<DynamoDBDocumentClient> {
  const client = await testDatabase({ tenants: tenantsTable });
  for (const { tenantId, clientId } of [demo, neighbour]) {
    const settings = { maxDevices: tenantId === demo.tenantId ? 5 : 9 };
    for (const item of [
      { ...tenantKeys.client(clientId), clientId, tenantId, tenantName: clientId, settings },
      { ...tenantKeys.profile(tenantId), name: clientId, tenantId, settings },
    ]) {
      await client.send(new PutCommand({ TableName: tenantsTable, Item: item }));
    }
  }
  return client;
}

/** The claims of a token of the demo's client that may list devices. */
export const claimsOf = (issuer: string, claims: Claims = {}): Claims => ({
  iss: issuer,
  exp: secondsFromNow(3600),
  client_id: demo.clientId,
  scope: listDevices.scope,
  ...claims,
});

class RecordingLogger extends Logger {
  readonly lines: Record<string, unknown>[] = [];

  protected override printLog(_level: number, log: LogItem): void {
    const text = JSON.stringify(log.getAttributes(), this.getJsonReplacer());
    this.lines.push(JSON.parse(text) as Record<string, unknown>);
  }
}

/** What API Gateway makes of the authorizer's answer, with the reason that the log tells. */
export type Answered = { status: number; reason?: unknown; caller?: WebsiteCaller };

const lambdaContext = { functionName: 'authorize', awsRequestId: 'request' } as Context;

/** As API Gateway makes it, in the parts that an authorizer may look at. */
function eventOf(
  authorization: string | undefined,
  routeKey: string,
  more: Record<string, string> = {},
): APIGatewayRequestAuthorizerEventV2 {
  const headers = { ...(authorization !== undefined && { authorization }), ...more };
  const requestContext = { requestId: 'gateway-request', routeKey, stage: '$default' };
  return {
    version: '2.0',
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:eu-central-1:000000000000:api/$default/GET/omi',
    identitySource: [authorization ?? '', routeKey],
    routeKey,
    rawPath: '/omi',
    rawQueryString: '',
    cookies: [],
    headers,
    requestContext: requestContext as APIGatewayRequestAuthorizerEventV2['requestContext'],
  };
}

export type Authorizer = {
  lines: Record<string, unknown>[];
  /** Calls with the header as it is. */
  withHeader: (
    authorization: string | undefined,
    routeKey?: string,
    headers?: Record<string, string>,
  ) => Promise<Answered>;
  withToken: (token: string, routeKey?: string, headers?: Record<string, string>) => Promise<Answered>;
  /** What it answers API Gateway. */
  answerTo: (token: string) => Promise<Answer>;
};

type Answer = Awaited<ReturnType<ReturnType<typeof createHandler>>>;

/** The authorizer's handler on real parts, in a process that has not answered yet. */
export const coldAuthorizer = (
  environment: Environment,
  database: DynamoDBDocumentClient,
  fetchDocument?: (address: string) => Promise<ArrayBuffer>,
  edge?: Edge,
): Authorizer =>
  authorizerWith(listDevices.routeKey, (logger) =>
    createHandler({
      verifyToken: createTokenVerifier(environment, fetchDocument),
      tenants: new TenantStore(database, environment.TENANTS_TABLE),
      tenantClaim: environment.TENANT_CLAIM,
      unauthorizedBy: environment.UNAUTHORIZED_BY,
      edge,
      logger,
    }),
  );

/** That of the exports' routes, for which members of tenants have tokens of the client. */
export const coldExportsAuthorizer = (
  environment: ExportsEnvironment,
  database: DynamoDBDocumentClient,
  clientId: string,
): Authorizer =>
  authorizerWith('GET /omi/exports', (logger) => {
    const tenants = new TenantStore(database, environment.TENANTS_TABLE);
    return createExportsHandler({
      verifyToken: createTokenVerifier(environment),
      tenants,
      members: memberTokens(environment, clientId, tenants),
      logger,
    });
  });

function authorizerWith(
  usualRoute: string,
  create: (logger: Logger) => ReturnType<typeof createHandler>,
): Authorizer {
  const logger = new RecordingLogger();
  const handler = create(logger);

  const withHeader: Authorizer['withHeader'] = async (authorization, routeKey = usualRoute, headers = {}) => {
    const before = logger.lines.length;
    const answered = await handler(eventOf(authorization, routeKey, headers), lambdaContext).then(
      answeredWith,
      // Also for the error `Unauthorized`, which would count as an error of the Lambda.
      (): Answered => ({ status: 500 }),
    );
    const { reason } = logger.lines[before] ?? {};
    return { ...answered, ...(reason !== undefined && { reason }) };
  };

  return {
    lines: logger.lines,
    withHeader,
    withToken: async (token, routeKey, headers) => await withHeader(`Bearer ${token}`, routeKey, headers),
    answerTo: async (token) => await handler(eventOf(`Bearer ${token}`, usualRoute), lambdaContext),
  };
}

function answeredWith(answer: Answer): Answered {
  if ('errorMessage' in answer) return { status: 401 };
  if (!answer.isAuthorized) return { status: 403 };
  if (!('context' in answer)) return { status: 200 };
  const { context } = answer;
  if (isUnauthenticated(context)) return { status: 401 };
  // As a handler reads it.
  return { status: 200, caller: v.parse(websiteCaller, context) };
}

export const oidc = (
  issuer: string,
  more: { audience?: string; tenantClaim?: string; unauthorizedBy?: Environment['UNAUTHORIZED_BY'] } = {},
): Environment => ({
  TOKEN_ISSUER_KIND: 'oidc',
  OIDC_ISSUER: issuer,
  TENANTS_TABLE: tenantsTable,
  OIDC_AUDIENCE: more.audience,
  TENANT_CLAIM: more.tenantClaim,
  UNAUTHORIZED_BY: more.unauthorizedBy,
});
