import { type ClientRefusal, type ClientOperation } from './client-operations.ts';
import { ref } from './json-schema.ts';
import { oauthErrorSchema } from './openid-schemas.ts';
import { type GatewayStatus, gatewayAnswers, header, headers } from './response-parts.ts';

/** The errors of an operation of OAuth clients that have one status, beside the gateway's own answer. */
function response(refusals: readonly ClientRefusal[], gateway: GatewayStatus | undefined) {
  const lines = refusals.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`);
  if (gateway !== undefined)
    lines.push(`- \`{ "message": … }\` from the gateway: ${gatewayAnswers[gateway]}`);
  const forms = [
    ...(refusals.length > 0 ? [oauthErrorSchema(refusals.map(({ code }) => code))] : []),
    ...(gateway === undefined ? [] : [ref('GatewayError')]),
  ];
  const isChallenge = refusals.some(({ status }) => status === 401);
  return {
    description: lines.join('\n'),
    ...(refusals.length > 0 && {
      headers: {
        ...headers(refusals.some(({ retryAfter }) => retryAfter)),
        ...(isChallenge && { 'WWW-Authenticate': header('WWW-Authenticate') }),
      },
    }),
    content: { 'application/json': { schema: forms.length === 1 ? forms[0] : { anyOf: forms } } },
  };
}

/** What an operation of OAuth clients answers besides its success, by status. */
export function clientRefusalResponses(
  { refusals }: ClientOperation,
  gateway: readonly GatewayStatus[],
): Record<string, Record<string, unknown>> {
  const byStatus = Map.groupBy(refusals, ({ status }) => status);
  const statuses = [...new Set<string | number>([...byStatus.keys(), ...gateway])];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      response(
        byStatus.get(Number(status)) ?? [],
        gateway.find((one) => one === status),
      ),
    ]),
  );
}
