import { isUtf8 } from 'node:buffer';
import type {
  APIGatewayEventRequestContextV2,
  APIGatewayProxyEventV2,
  APIGatewayRequestAuthorizerEventV2,
} from 'aws-lambda';
import { type RouteDefinition, routeKeyOf } from '../../../lambdas/routes.ts';
import { accountId, region } from '../aws/identity.ts';
import { newTraceId } from './ids.ts';
import type { GatewayRequest } from './request.ts';

/** A call and its route. */
export type GatewayCall = {
  request: GatewayRequest;
  requestId: string;
  route: RouteDefinition;
  pathParameters: Record<string, string>;
};

const apiId = 'omilocal';

/** The event of a Lambda proxy integration in payload format 2.0. */
export function proxyEvent(call: GatewayCall, authorizer: unknown): APIGatewayProxyEventV2 {
  const { body, headers } = call.request;
  const isBase64Encoded = body.length > 0 && !(isText(headers['content-type']) && isUtf8(body));
  const event: APIGatewayProxyEventV2 = { ...commonPart(call), isBase64Encoded };
  if (authorizer !== undefined) Object.assign(event.requestContext, { authorizer: { lambda: authorizer } });
  if (body.length > 0) event.body = body.toString(isBase64Encoded ? 'base64' : 'utf8');
  return event;
}

/** API Gateway omits absent cookies, although the type requires them. */
type AuthorizerEvent = Omit<APIGatewayRequestAuthorizerEventV2, 'cookies'> & { cookies?: string[] };

/** The event of a Lambda authorizer in format 2.0. */
export function authorizerEvent(call: GatewayCall, identitySource: string[]): AuthorizerEvent {
  const { method, rawPath } = call.request;
  const routeArn = `arn:aws:execute-api:${region}:${accountId}:${apiId}/$default/${method}${rawPath}`;
  return { ...commonPart(call), type: 'REQUEST', routeArn, identitySource };
}

function commonPart(call: GatewayCall) {
  const { rawPath, rawQueryString, query, cookies } = call.request;
  return {
    version: '2.0',
    routeKey: routeKeyOf(call.route),
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers: forwardedHeaders(call.request),
    ...(rawQueryString !== '' && { queryStringParameters: query }),
    ...(Object.keys(call.pathParameters).length > 0 && { pathParameters: call.pathParameters }),
    requestContext: requestContext(call),
  };
}

function requestContext({ request, requestId, route }: GatewayCall): APIGatewayEventRequestContextV2 {
  const { method, rawPath, protocol, sourceIp, headers } = request;
  const domainName = (headers['host'] ?? '').replace(/:\d+$/, '');
  const now = Date.now();
  return {
    accountId,
    apiId,
    domainName,
    domainPrefix: domainName.split('.', 1)[0] ?? '',
    http: { method, path: rawPath, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
    requestId,
    routeKey: routeKeyOf(route),
    stage: '$default',
    time: commonLogTime(now),
    timeEpoch: now,
  };
}

/** The headers of a request, with those that API Gateway sets. */
function forwardedHeaders({ headers, body, sourceIp }: GatewayRequest): Record<string, string> {
  const earlier = headers['x-forwarded-for'];
  return {
    ...headers,
    'content-length': String(body.length),
    'x-amzn-trace-id': headers['x-amzn-trace-id'] ?? newTraceId(),
    'x-forwarded-for': earlier === undefined ? sourceIp : `${earlier}, ${sourceIp}`,
    'x-forwarded-port': portOf(headers['host']),
    'x-forwarded-proto': 'http',
  };
}

const portOf = (host = ''): string => /:(\d+)$/.exec(host)?.[1] ?? '80';

let logged = { second: 0, time: '' };

/** For example `20/Jan/2025:15:31:30 +0000`. It is made once a second. */
function commonLogTime(now: number): string {
  const second = Math.floor(now / 1_000);
  if (second === logged.second) return logged.time;
  const [, day = '', month = '', year = '', time = ''] = new Date(now).toUTCString().split(' ');
  logged = { second, time: `${day}/${month}/${year}:${time} +0000` };
  return logged.time;
}

/** All other bodies reach the Lambda as base64, and so does text that is not UTF-8: a string could not hold it. */
function isText(contentType = ''): boolean {
  const [mediaType = ''] = contentType.toLowerCase().split(';');
  return /^(text\/.+|application\/(json|javascript|xml))$/.test(mediaType.trim());
}
