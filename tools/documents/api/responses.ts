import { problems } from '../../../core/http/problems.ts';
import type { RefusalCode } from '../../../core/kernel/refusal.ts';
import { routes, type Route, type RouteLambda } from '../../../lambdas/routes.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { clientOperations } from './client-operations.ts';
import { clientRefusalResponses } from './client-responses.ts';
import type { Success } from './operation.ts';
import { problemsSchema } from './problem-schemas.ts';
import { hasOwnMeaning, meaningOf, refusals } from './refusals.ts';
import { type GatewayStatus, gatewayAnswers, header, headers, successResponse } from './response-parts.ts';

type Responses = Record<string, Record<string, unknown>>;

/** HTTP API asks an authorizer on the routes of websites and of members of staff alone; a body may be too large where there is one. */
const gatewayStatuses = ({ caller, method }: Route): GatewayStatus[] => [
  ...(caller === 'website' || caller === 'staff' ? ([401, 403] as const) : []),
  ...(method === 'POST' || method === 'PUT' || method === 'PATCH' ? ([413] as const) : []),
  429,
  431,
  503,
  '5XX',
];

const retried: readonly RefusalCode[] = [
  'confirmation-pending',
  'too-many-notifications',
  'too-many-requests',
  'temporarily-unavailable',
];

function problemHeaders(codes: RefusalCode[]) {
  const challenge = codes.some((code) => problems[code].status === 401) && {
    'WWW-Authenticate': header('WWW-Authenticate'),
  };
  return { ...headers(codes.some((code) => retried.includes(code))), ...challenge };
}

const problemContent = (codes: RefusalCode[], status: number) => ({
  'application/problem+json': {
    schema: problemsSchema(codes, status),
    examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
  },
});

const gatewayContent: JsonSchema = { 'application/json': { schema: ref('GatewayError') } };

type Refused = {
  lambda: RouteLambda;
  status: string;
  codes: RefusalCode[];
  gateway: GatewayStatus | undefined;
};

function refusalResponse({ lambda, status, codes, gateway }: Refused) {
  const lines = codes.map((code) => `- \`${code}\`: ${meaningOf(code, lambda)}`);
  if (gateway !== undefined)
    lines.push(`- \`{ "message": … }\` from the gateway: ${gatewayAnswers[gateway]}`);
  return {
    description: lines.join('\n'),
    ...(codes.length > 0 && { headers: problemHeaders(codes) }),
    content: {
      ...(codes.length > 0 && problemContent(codes, Number(status))),
      ...(gateway !== undefined && gatewayContent),
    },
  };
}

/** What a route may answer besides its success, by status. */
function refusedBy(route: Route): Refused[] {
  const gateway = gatewayStatuses(route);
  const codes = Map.groupBy(refusals[route.lambda], (code) => problems[code].status);
  return [...new Set([...codes.keys(), ...gateway])].map((status) => ({
    lambda: route.lambda,
    status: String(status),
    codes: codes.get(Number(status)) ?? [],
    gateway: gateway.find((one) => one === status),
  }));
}

/** Operations that refuse for the same reasons have one response in common. */
const nameOf = ({ lambda, status, codes, gateway }: Refused): string =>
  [
    status,
    ...codes,
    ...(gateway === undefined ? [] : ['gateway']),
    ...(codes.some((code) => hasOwnMeaning(code, lambda)) ? [lambda] : []),
  ].join('.');

/** Every refusal of every route, by the name that {@link responsesOf} refers to. */
export const refusalResponses = (): Responses =>
  Object.fromEntries(
    routes
      .filter(({ caller }) => caller !== 'client')
      .flatMap(refusedBy)
      .map((refused) => [nameOf(refused), refusalResponse(refused)]),
  );

const referencesOf = (route: Route): Responses =>
  Object.fromEntries(
    refusedBy(route).map((refused): [string, Record<string, unknown>] => [
      refused.status,
      { $ref: `#/components/responses/${nameOf(refused)}` },
    ]),
  );

/** Every answer of a route's operation, by status. */
export const responsesOf = (route: Route, success: Success): Responses => ({
  [String(success.status)]: successResponse(success),
  ...(route.caller === 'client'
    ? clientRefusalResponses(clientOperations[route.lambda], gatewayStatuses(route))
    : referencesOf(route)),
});
