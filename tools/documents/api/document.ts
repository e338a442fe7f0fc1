/** The OpenAPI document as an object. It is kept by hand; the tests hold it against the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { RouteLambda } from '../../../lambdas/routes.ts';

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;
export type OperationId = CamelCase<RouteLambda>;

/** A schema object of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

export type Example = { $ref?: string; summary?: string; value?: unknown };
export type Content = Record<string, { schema: JsonSchema; examples?: Record<string, Example> }>;
export type DocumentedResponse = {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Content;
};
export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
};
export type Operation = {
  operationId: OperationId;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, DocumentedResponse>;
};

export type OpenApiDocument = {
  info: { summary: string; description: string; version: string; license: { name: string } };
  servers: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    securitySchemes: { accessToken: { flows: { clientCredentials: { scopes: Record<string, string> } } } };
    responses: Record<string, DocumentedResponse>;
    schemas: Record<string, JsonSchema>;
    examples: Record<string, Example>;
  };
};

export const openApiFile = join(import.meta.dirname, '../../../docs/api/openapi.yaml');

export const openApiDocument = parse(readFileSync(openApiFile, 'utf8')) as OpenApiDocument;

/** The Lambda's name in the form that generators of clients make methods of. */
export const operationIdOf = (lambda: RouteLambda): OperationId =>
  lambda.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as OperationId;

export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.values(openApiDocument.paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]),
);

/** The response, or the one that it refers to. */
export const responseAt = ({ $ref, ...own }: DocumentedResponse): DocumentedResponse =>
  $ref === undefined
    ? own
    : (openApiDocument.components.responses[$ref.replace('#/components/responses/', '')] ?? {});
