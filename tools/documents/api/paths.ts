import { isOfTenants, routes, type Route, type RouteLambda, scopesOf } from '../../../lambdas/routes.ts';
import { type ClientOperation, clientOperations } from './client-operations.ts';
import { deviceOperations } from './device-operations.ts';
import { exampleMessages, exampleParameters } from './examples.ts';
import { ref, requestSchema, type JsonSchema } from './json-schema.ts';
import { openOperations } from './open-operations.ts';
import type { Content, DeviceOperation, WebsiteOperation } from './operation.ts';
import { responsesOf } from './responses.ts';
import { staffOperations } from './staff-operations.ts';
import { websiteOperations } from './website-operations.ts';

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;
export type OperationId = CamelCase<RouteLambda>;

/** The Lambda's name in the form that generators of clients make methods of. */
export const operationIdOf = (lambda: RouteLambda): OperationId =>
  lambda.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as OperationId;

const notes: Record<keyof typeof exampleParameters, string> = {
  userId: 'The user. Percent-encode characters that a path cannot contain.',
  deviceId: 'One of the devices of `listDevices`.',
  tenantId: 'The tenant, as the enrolment answered it.',
  nonce: 'The nonce of the request that asked for the confirmation.',
  confirmation:
    'The nonce of the confirmation that allows the removal, if the tenant requires one. Otherwise it is ignored.',
  enrolmentId: 'As `startEnrolment` answered it.',
  challengeId: 'As `listChallenges` answered it.',
  category: 'The events that are exported together.',
  from: 'RFC 3339. The first hour is the one in which this time is.',
  to: 'RFC 3339. The last hour begins before this time. A time in the future means now.',
  hour: 'An hour of the ledger, as `getLedger` names it: its begin.',
  minute: 'A minute of the log, as `listMinutes` names it: its begin.',
  eventId: 'The id of the event, in upper or lower case.',
  aggregateId: 'The aggregate of a public event, which needs it.',
  agent: 'The agent of a log event, if it has one.',
  size: 'The number of leaves of the tree that the proof is for: that of a checkpoint. Without it, that of the checkpoint which is served now.',
  cursor: 'As the page before answered it. Without it, the first page.',
  limit: 'At most so many, from 1 to 100. Without it, 50.',
  replayId: 'As `startReplay` answered it.',
  checkId: 'As `staffCheckCaller` answered it.',
  streamId: 'As `createSignalStream` answered it.',
  stream_id: 'As `createSignalStream` answered it.',
  state: 'Only exports in this state.',
  samples: 'Whether each export is to have a sample of each type of event.',
  before: 'As the answer before had it: the confirmations before that time.',
};

type Parameters = WebsiteOperation['path'];

const parametersOf = (
  place: 'path' | 'query',
  schema: Parameters,
  own: WebsiteOperation['parameters'] = {},
) =>
  Object.entries(schema?.entries ?? {}).map(([name, entry]) => ({
    name,
    in: place,
    required: entry.type !== 'optional',
    description: notes[name as keyof typeof notes],
    schema: requestSchema(entry),
    example: exampleParameters[name as keyof typeof exampleParameters],
    ...own[name],
  }));

const body = (mediaType: string, { schema, examples, isOptional }: Content & { isOptional?: true }) => ({
  requestBody: { required: isOptional !== true, content: { [mediaType]: { schema: ref(schema), examples } } },
});

function tokenPart(
  { path, query, body: content, parameters }: Omit<WebsiteOperation, 'tag'>,
  security: Record<string, string[]>[],
): JsonSchema {
  return {
    security,
    parameters: [...parametersOf('path', path), ...parametersOf('query', query, parameters)],
    ...(content && body('application/json', content)),
  };
}

function devicePart({ path, signs }: DeviceOperation): JsonSchema {
  const parameters = parametersOf('path', path);
  const schema = `${signs.message}Message`;
  if (signs.in === 'header') {
    return { security: [{ deviceSignature: [] }], parameters, 'x-signed-message': ref(schema) };
  }
  const examples = { signed: { summary: 'A signed message', value: exampleMessages[signs.message] } };
  // The body is the proof: there is no credential beside it.
  return { security: [], parameters, ...body('application/jose', { schema, examples }) };
}

/** The secret is in the header or in the form; an assertion is in the form. */
const clientPart = ({ form }: ClientOperation): JsonSchema => ({
  security: [{ clientSecret: [] }, {}],
  parameters: [],
  ...body('application/x-www-form-urlencoded', form),
});

/** The words of a route, where it stands in the document, and what a call of it needs. */
function partsOf(route: Route) {
  if (route.caller === 'website') {
    const operation = websiteOperations[route.lambda];
    // Any of the scopes is enough, and at exports a sign-in, too.
    const security: Record<string, string[]>[] = scopesOf(route).map((scope) => ({ accessToken: [scope] }));
    if (isOfTenants(route)) security.push({ memberToken: [] });
    const part = tokenPart(operation, security);
    return { operation, tag: operation.tag ?? 'website', part };
  }
  if (route.caller === 'staff') {
    const operation = staffOperations[route.lambda];
    return { operation, tag: 'staff', part: tokenPart(operation, [{ staffToken: [] }]) };
  }
  if (route.caller === 'anyone') {
    const operation = openOperations[route.lambda];
    const { tag, path, body: content } = operation;
    return {
      operation,
      tag,
      part: {
        security: [],
        parameters: parametersOf('path', path),
        ...(content && body('application/json', content)),
      },
    };
  }
  if (route.caller === 'client') {
    const operation = clientOperations[route.lambda];
    return { operation, tag: 'openid', part: clientPart(operation) };
  }
  const operation = deviceOperations[route.lambda];
  return { operation, tag: 'device', part: devicePart(operation) };
}

function operationOf(route: Route): JsonSchema {
  const { operation, tag, part } = partsOf(route);
  return {
    operationId: operationIdOf(route.lambda),
    tags: [tag],
    summary: operation.summary,
    description: operation.description.trim(),
    ...part,
    responses: responsesOf(route, operation.success),
  };
}

/** Every route of the table, in its order. */
export function paths(): Record<string, JsonSchema> {
  const items: Record<string, JsonSchema> = {};
  for (const route of routes) {
    items[route.path] = { ...items[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return items;
}
