/** Holds answers of the service against the OpenAPI document: what is not written there must not be sent. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  openApiDocument,
  operations,
  responseAt,
  type DocumentedResponse,
  type JsonSchema,
  type OperationId,
} from '../../tools/documents/api/document.ts';

const { paths, components } = openApiDocument;
const { schemas } = components;

const ajv = new Ajv2020({ allErrors: true, strictTypes: true });
formats.default(ajv);
ajv.addVocabulary(['components']);

const compiled = new Map<string, ValidateFunction>();

/** References lead from the root of the OpenAPI document; so each schema brings the components along. */
function compile(schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile({ ...schema, components: { schemas } });
  compiled.set(key, validate);
  return validate;
}

/** What is wrong with the value; nothing if it has the form of the schema. */
export function faultsOf(schema: JsonSchema, value: unknown): string[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** A reference to a component schema. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Throws where the value is not one of the component schema. */
export function expectSchema(name: string, value: unknown): void {
  const faults = faultsOf(ref(name), value);
  if (faults.length === 0) return;
  throw new Error(`No ${name}: ${JSON.stringify(value)}\n${faults.join('\n')}`);
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** The operation that a call reaches; `undefined` where the gateway knows no such route. */
export const operationAt = (method: string, path: string): OperationId | undefined =>
  Object.entries(paths)
    .filter(([template]) => matches(template, path))
    .map(([, item]) => item[method.toLowerCase()]?.operationId)
    .find((operationId) => operationId !== undefined);

/** 503 by its own number, other faults of the gateway by the range. */
function responseOf(operationId: OperationId, status: number): DocumentedResponse {
  const { responses } = operations.get(operationId) ?? {};
  const response = responses?.[String(status)] ?? responses?.[`${Math.floor(status / 100)}XX`];
  if (response) return responseAt(response);
  throw new Error(`The OpenAPI document has no ${status} for ${operationId}`);
}

/** The headers that callers act on, by their name in the document; API Gateway renames the last. */
const headerNames = [
  ['retry-after', 'Retry-After'],
  ['x-amzn-remapped-www-authenticate', 'WWW-Authenticate'],
] as const;

/** Throws where an answer has a header that the document does not have for this operation and status. */
export function expectHeaders(operationId: OperationId, status: number, headers: Headers): void {
  const documented = responseOf(operationId, status).headers ?? {};
  for (const [sent, name] of headerNames)
    if (headers.has(sent) && !(name in documented))
      throw new Error(`The OpenAPI document has no ${name} for ${status} of ${operationId}`);
}

/**
 * Throws if a response does not match the document for this operation and status. `body` is the parsed JSON, `undefined` or
 * empty if there is none.
 */
export function expectAnswer(operationId: OperationId, status: number, body: unknown): void {
  const forms = Object.values(responseOf(operationId, status).content ?? {});
  const isEmpty = body === undefined || body === '';
  if (isEmpty && forms.length === 0) return;
  const faults = forms.map(({ schema }) => faultsOf(schema, body));
  if (faults.some((its) => its.length === 0)) return;
  const found = `${operationId} answered ${status} ${JSON.stringify(body)}`;
  throw new Error(`${found}\nThe OpenAPI document has another form:\n${faults.flat().join('\n')}`);
}
