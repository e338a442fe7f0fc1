import type { StaffGroup } from '../core/access/staff-member.ts';
import { recoveryScope } from '../core/access/recovery-scope.ts';
import type { LambdaName } from './registered.ts';

/** Every endpoint of the service. The CDK API, the authorizer, the local gateway and the OpenAPI document read this table. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The caller: a website with a scoped access token (where a scope includes another, of either), a member of staff in a group, a device that signs each call, an OAuth client that the endpoint itself
 * authenticates (RFC 6749, section 2.3), or anyone: no credentials are needed.
 */
export type RouteAccess =
  | { caller: 'website'; scope: string; orScope?: string }
  | { caller: 'staff'; group: StaffGroup }
  | { caller: 'device' }
  | { caller: 'client' }
  | { caller: 'anyone' };

export type RouteDefinition = {
  /** `ANY`: every method without a route of its own. */
  method: Method | 'ANY';
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
    path: '/omi/groups',
    lambda: 'request-group',
    caller: 'website',
    scope: 'credential:omi:groups',
  },
  {
    method: 'GET',
    path: '/omi/groups',
    lambda: 'get-group',
    caller: 'website',
    scope: 'credential:omi:groups',
  },
  {
    method: 'DELETE',
    path: '/omi/groups',
    lambda: 'withdraw-group',
    caller: 'website',
    scope: 'credential:omi:groups',
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
    method: 'GET',
    path: '/omi/exports/{category}/log/checkpoint',
    lambda: 'get-checkpoint',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/log/proofs/inclusion',
    lambda: 'get-inclusion-proof',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/log/proofs/consistency',
    lambda: 'get-consistency-proof',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/log/minutes',
    lambda: 'list-minutes',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/log/minutes/{minute}',
    lambda: 'get-minute',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'GET',
    path: '/omi/exports/{category}/deliveries',
    lambda: 'list-deliveries',
    caller: 'website',
    scope: 'omi:exports:get',
  },
  {
    method: 'POST',
    path: '/omi/exports/{category}/events/{eventId}/send',
    lambda: 'send-event',
    caller: 'website',
    scope: 'omi:exports:post',
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
    path: '/omi/exports/{category}/dismiss',
    lambda: 'dismiss-given-up',
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
    path: '/omi/ssf/stream',
    lambda: 'create-signal-stream',
    caller: 'website',
    scope: 'ssf.manage',
  },
  {
    method: 'GET',
    path: '/omi/ssf/stream',
    lambda: 'list-signal-streams',
    caller: 'website',
    scope: 'ssf.read',
    orScope: 'ssf.manage',
  },
  {
    method: 'PATCH',
    path: '/omi/ssf/stream',
    lambda: 'update-signal-stream',
    caller: 'website',
    scope: 'ssf.manage',
  },
  {
    method: 'PUT',
    path: '/omi/ssf/stream',
    lambda: 'replace-signal-stream',
    caller: 'website',
    scope: 'ssf.manage',
  },
  {
    method: 'DELETE',
    path: '/omi/ssf/stream',
    lambda: 'delete-signal-stream',
    caller: 'website',
    scope: 'ssf.manage',
  },
  {
    method: 'GET',
    path: '/omi/ssf/status',
    lambda: 'get-signal-status',
    caller: 'website',
    scope: 'ssf.read',
    orScope: 'ssf.manage',
  },
  {
    method: 'POST',
    path: '/omi/ssf/status',
    lambda: 'set-signal-status',
    caller: 'website',
    scope: 'ssf.manage',
  },
  {
    method: 'POST',
    path: '/omi/ssf/verify',
    lambda: 'verify-signal-stream',
    caller: 'website',
    scope: 'ssf.manage',
  },
  {
    method: 'POST',
    path: '/omi/ssf/streams/{streamId}/poll',
    lambda: 'poll-signals',
    caller: 'website',
    // A poll acknowledges, so it changes what the stream holds.
    scope: 'ssf.manage',
  },
  {
    method: 'GET',
    path: '/omi/staff/tenants',
    lambda: 'staff-list-tenants',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'GET',
    path: '/omi/staff/tenants/{tenantId}',
    lambda: 'staff-show-tenant',
    caller: 'staff',
    group: 'operator',
  },
  {
    method: 'GET',
    path: '/omi/staff/users/{userId}',
    lambda: 'staff-find-user',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'POST',
    path: '/omi/staff/users/{userId}/acts',
    lambda: 'staff-change-user',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'DELETE',
    path: '/omi/staff/users/{userId}/devices/{deviceId}',
    lambda: 'staff-remove-device',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'POST',
    path: '/omi/staff/users/{userId}/recovery',
    lambda: 'staff-allow-recovery',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'POST',
    path: '/omi/staff/users/{userId}/checks',
    lambda: 'staff-check-caller',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'GET',
    path: '/omi/staff/users/{userId}/checks/{checkId}',
    lambda: 'staff-get-check',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'POST',
    path: '/omi/staff/users/{userId}/checks/{checkId}/number',
    lambda: 'staff-compare-number',
    caller: 'staff',
    group: 'support',
  },
  {
    method: 'GET',
    path: '/omi/staff/exports',
    lambda: 'staff-list-exports',
    caller: 'staff',
    group: 'operator',
  },
  {
    method: 'POST',
    path: '/omi/staff/tenants/{tenantId}/exports/{category}/acts',
    lambda: 'staff-steer-export',
    caller: 'staff',
    group: 'operator',
  },
  {
    method: 'POST',
    path: '/omi/staff/tenants/{tenantId}/exports/{category}/test',
    lambda: 'staff-test-export',
    caller: 'staff',
    group: 'operator',
  },
  {
    method: 'POST',
    path: '/omi/staff/tenants/{tenantId}/exports/{category}/replays',
    lambda: 'staff-start-replay',
    caller: 'staff',
    group: 'operator',
  },
  {
    method: 'GET',
    path: '/omi/staff/tenants/{tenantId}/exports/{category}/replays/{replayId}',
    lambda: 'staff-get-replay',
    caller: 'staff',
    group: 'operator',
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
  { method: 'PUT', path: '/omi/device/name', lambda: 'rename-device', caller: 'device' },
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
  { method: 'GET', path: '/problems/{code}', lambda: 'describe-problem', caller: 'anyone' },
  { method: 'GET', path: '/.well-known/omi-keys', lambda: 'omi-keys', caller: 'anyone' },
  {
    method: 'GET',
    path: '/.well-known/ssf-configuration',
    lambda: 'ssf-configuration',
    caller: 'anyone',
  },
  { method: 'GET', path: '/omi/ssf/jwks', lambda: 'ssf-jwks', caller: 'anyone' },
  { method: 'GET', path: '/oauth/jwks', lambda: 'oauth-jwks', caller: 'anyone' },
  { method: 'POST', path: '/bc-authorize', lambda: 'bc-authorize', caller: 'client' },
  { method: 'POST', path: '/oauth/token', lambda: 'oauth-token', caller: 'client' },
] as const satisfies readonly (RouteDefinition & { lambda: LambdaName })[];

/** What API Gateway finds for a user id with a slash: it decodes a path before it looks for its route. */
export const strayRoutes = (['/omi/users', '/omi/push/user', '/omi/staff/users'] as const).map(
  (path) =>
    ({
      method: 'ANY',
      path: `${path}/{path+}`,
      lambda: 'describe-problem',
      caller: 'anyone',
    }) as const satisfies RouteDefinition,
);

/** One way to match each text, so that nobody can make it slow. */
const severalParts = '[^/]*(?:/[^/]*)+';

/** True for a call of a user whose id has a slash. */
export const hasSlashInUserId = (method: string, path: string): boolean =>
  routes.some((route) => {
    if (route.method !== method || !route.path.includes('{userId}')) return false;
    const pattern = route.path.replace('{userId}', severalParts).replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });

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

/** The Lambdas of the help desk. */
export type StaffLambda = Extract<Route, { caller: 'staff' }>['lambda'];

/** The scopes that open a route, each of them alone. */
export const scopesOf = (route: RouteDefinition): string[] =>
  route.caller === 'website' ? [route.scope, ...(route.orScope === undefined ? [] : [route.orScope])] : [];

const byKey = new Map<string, RouteDefinition>(routes.map((route) => [routeKeyOf(route), route]));

/**
 * The scopes of the route with this key.
 *
 * @throws if it does not take an access token
 */
export function requiredScopes(routeKey: string): string[] {
  const route = byKey.get(routeKey);
  if (route?.caller !== 'website') throw new Error(`The route ${routeKey} does not take an access token`);
  return scopesOf(route);
}

/** The Lambda that checks the token of a call. */
export type AuthorizerName = Extract<LambdaName, `authorize${string}`>;

/** The exports of a tenant have their own, because members of the tenant sign in at their page. */
export function authorizerOf(route: RouteDefinition): AuthorizerName | undefined {
  if (route.caller === 'staff') return 'authorize-staff';
  if (route.caller !== 'website') return undefined;
  return isOfTenants(route) ? 'authorize-exports' : 'authorize';
}

/** The scopes that open routes. A scope opens each route that names it. */
export const routeScopes: readonly string[] = [...new Set(routes.flatMap(scopesOf))];

export { recoveryScope };

/** All scopes that a client may have. */
export const scopes: readonly string[] = [...routeScopes, recoveryScope];
