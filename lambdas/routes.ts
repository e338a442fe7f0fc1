import { recoveryScope } from '../core/access/recovery-scope.ts';
import type { LambdaName } from './registered.ts';

/** Every endpoint of the service. The CDK API, the authorizer, the local gateway and the OpenAPI document read this table. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * The caller: a website with a scoped access token, a device that signs each call, an OAuth client that the endpoint itself
 * authenticates (RFC 6749, section 2.3), or anyone: no credentials are needed.
 */
export type RouteAccess =
  | { caller: 'website'; scope: string }
  | { caller: 'device' }
  | { caller: 'client' }
  | { caller: 'anyone' };

export type RouteDefinition = {
  method: Method;
  path: `/${string}`;
  lambda: string;
} & RouteAccess;

export const routes = [
  {
    method: 'GET',
    path: '/omi/users/{userId}/devices',
    lambda: 'list-devices',
    caller: 'website',
    scope: 'credential:omi:devices:get',
  },
  {
    method: 'DELETE',
    path: '/omi/users/{userId}/devices/{deviceId}',
    lambda: 'remove-device',
    caller: 'website',
    scope: 'credential:omi:devices:delete',
  },
  {
    method: 'PUT',
    path: '/omi/users/{userId}/label',
    lambda: 'set-account-label',
    caller: 'website',
    scope: 'credential:omi:enrol:qr:post',
  },
  {
    method: 'POST',
    path: '/omi/push/user/{userId}/device/{deviceId}',
    lambda: 'send-to-device',
    caller: 'website',
    scope: 'credential:omi:push-notification:device:post',
  },
  {
    method: 'POST',
    path: '/omi/push/user/{userId}',
    lambda: 'send-to-user',
    caller: 'website',
    scope: 'credential:omi:push-notification:post',
  },
  {
    method: 'GET',
    path: '/omi/push/confirmation',
    lambda: 'get-confirmation',
    caller: 'website',
    scope: 'credential:omi:push-notification:status:get',
  },
  {
    method: 'DELETE',
    path: '/omi/push/confirmation',
    lambda: 'withdraw-confirmation',
    caller: 'website',
    scope: 'credential:omi:push-notification:delete',
  },
  {
    method: 'POST',
    path: '/omi/enrol/qr',
    lambda: 'start-enrolment',
    caller: 'website',
    scope: 'credential:omi:enrol:qr:post',
  },
  {
    method: 'GET',
    path: '/omi/enrol/status',
    lambda: 'get-enrolment',
    caller: 'website',
    scope: 'credential:omi:enrol:status:get',
  },
  {
    method: 'POST',
    path: '/omi/events',
    lambda: 'record-events',
    caller: 'website',
    scope: 'omi:events:post',
  },
  {
    method: 'GET',
    path: '/omi/exports',
    lambda: 'list-exports',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/ledger',
    lambda: 'get-ledger',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/ledger/{hour}',
    lambda: 'get-ledger-hour',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'POST',
    path: '/omi/exports/{category}/test',
    lambda: 'test-export',
    caller: 'website',
    scope: 'omi:exports:post',
  },
  {
    method: 'POST',
    path: '/omi/exports/{category}/pause',
    lambda: 'pause-export',
    caller: 'website',
    scope: 'omi:exports:post',
  },
  {
    method: 'POST',
    path: '/omi/exports/{category}/resume',
    lambda: 'resume-export',
    caller: 'website',
    scope: 'omi:exports:post',
  },
  {
    method: 'POST',
    path: '/omi/exports/{category}/replays',
    lambda: 'start-replay',
    caller: 'website',
    scope: 'omi:exports:post',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/replays/{replayId}',
    lambda: 'get-replay',
    caller: 'website',
    scope: 'omi:exports:post',
  },
  {
    method: 'POST',
    path: '/omi/device/enrolments/preview',
    lambda: 'preview-enrolment',
    caller: 'anyone',
  },
  { method: 'POST', path: '/omi/device/enrolments', lambda: 'enrol-device', caller: 'device' },
  { method: 'GET', path: '/omi/device/challenges', lambda: 'list-challenges', caller: 'device' },
  {
    method: 'POST',
    path: '/omi/device/challenges/{challengeId}/response',
    lambda: 'answer-challenge',
    caller: 'device',
  },
  { method: 'PUT', path: '/omi/device/push-token', lambda: 'refresh-push-token', caller: 'device' },
  { method: 'DELETE', path: '/omi/device', lambda: 'unregister-device', caller: 'device' },
  { method: 'GET', path: '/omi/device/settings', lambda: 'device-settings', caller: 'anyone' },
  { method: 'GET', path: '/omi/device/tenants/{tenantId}', lambda: 'get-brand', caller: 'anyone' },
  { method: 'GET', path: '/omi/device/tenants/{tenantId}/logo', lambda: 'get-logo', caller: 'anyone' },
  {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    lambda: 'openid-configuration',
    caller: 'anyone',
  },
  { method: 'GET', path: '/.well-known/omi-keys', lambda: 'omi-keys', caller: 'anyone' },
  { method: 'GET', path: '/oauth/jwks', lambda: 'oauth-jwks', caller: 'anyone' },
  { method: 'POST', path: '/bc-authorize', lambda: 'bc-authorize', caller: 'client' },
  { method: 'POST', path: '/oauth/token', lambda: 'oauth-token', caller: 'client' },
] as const satisfies readonly (RouteDefinition & { lambda: LambdaName })[];

export type Route = (typeof routes)[number];
export type RouteLambda = Route['lambda'];

/** API Gateway's name of a route. The authorizer's cache uses it as a key, together with the token. */
export const routeKeyOf = (route: RouteDefinition): string => `${route.method} ${route.path}`;

/** True if tenants steer their own export by the route. */
export const isOfTenants = ({ path }: Pick<RouteDefinition, 'path'>): boolean =>
  path.startsWith('/omi/exports');

/** The Lambdas of {@link isOfTenants}. */
export type TenantLambda = Extract<Route, { path: `/omi/exports${string}` }>['lambda'];

export const tenantLambdas: ReadonlySet<string> = new Set(
  routes.filter(isOfTenants).map(({ lambda }) => lambda),
);

/** The scopes that open routes. A scope opens each route that names it. */
export const routeScopes: readonly string[] = [
  ...new Set(routes.flatMap((route) => (route.caller === 'website' ? [route.scope] : []))),
];

export { recoveryScope };

/** All scopes that a client may have. */
export const scopes: readonly string[] = [...routeScopes, recoveryScope];
