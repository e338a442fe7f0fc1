import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { problems } from '../../../core/http/problems.ts';
import { root } from './reader-paths.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
};
type Example = { $ref?: string; summary?: string; value?: unknown };
type Media = { schema?: Schema; examples?: Record<string, Example> };
type Response = { $ref?: string; description?: string; content?: Record<string, Media> };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

type Call = Operation & { method: string; path: string };

/** Names of the tags, for people. */
const titles: Record<string, string> = {
  website: 'Websites',
  events: 'Recording events',
  exports: 'Exports',
  signals: 'Signals',
  staff: 'Help desk',
  openid: 'OpenID Connect',
  device: 'Devices',
};

export const titleOfTag = (tag: string): string => titles[tag] ?? tag;

const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** Markdown that stays inside one cell, and in which nothing is HTML. */
const cell = (text: string): string =>
  text
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('`');

const prose = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('`');

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined)
    return `[${nameOf(schema.$ref)}](schemas.md#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  const several = schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (several) return [...new Set(several.map(typeOf))].join(schema.allOf ? ' and ' : ' or ');
  const kind = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format === undefined ? kind : `${kind}, ${schema.format}`;
}

const row = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const table = (head: string[], rows: string[][]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const members = ({ properties = {}, required = [] }: Schema): string =>
  table(
    ['member', 'type', 'needed', 'meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      typeOf(schema),
      required.includes(name) ? 'required' : '',
      schema.description ?? '',
    ]),
  );

const json = (value: unknown): string =>
  typeof value === 'string'
    ? `\`\`\`text\n${value}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function bodyOf(content: Record<string, Media>): string {
  return Object.entries(content)
    .map(([mediaType, { schema, examples = {} }]) => {
      const [example] = Object.values(examples);
      const named = schema ? `Body: \`${mediaType}\`, ${typeOf(schema)}.` : `Body: \`${mediaType}\`.`;
      return example?.value === undefined ? named : `${named}\n\n${json(example.value)}`;
    })
    .join('\n\n');
}

function credentialsOf({ security = [] }: Operation): string {
  const named = security.flatMap((one) =>
    Object.entries(one).map(([scheme, scopes]) =>
      scopes.length === 0 ? `\`${scheme}\`` : `\`${scheme}\` with the scope \`${scopes.join('` `')}\``,
    ),
  );
  return named.length === 0
    ? 'No credentials, or those in the body.'
    : `Credentials: ${named.join(', or ')}.`;
}

class Reference {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  get calls(): Call[] {
    return Object.entries(this.#document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    );
  }

  pageOf({ name, description }: Document['tags'][number]): string {
    const calls = this.calls.filter(({ tags }) => tags.includes(name));
    return (
      [`# API: ${titleOfTag(name)}`, prose(description), ...calls.map((call) => this.#call(call))].join(
        '\n\n',
      ) + '\n'
    );
  }

  schemas(): string {
    const sections = Object.entries(this.#document.components.schemas).map(([name, schema]) =>
      [
        `## ${name}`,
        prose(schema.description ?? ''),
        schema.properties ? members(schema) : `Type: ${typeOf(schema)}.`,
      ].join('\n\n'),
    );
    return ['# API: Schemas', 'The objects of requests and answers.', ...sections].join('\n\n') + '\n';
  }

  #call(call: Call): string {
    const { method, path, operationId, summary, description, parameters = [], requestBody } = call;
    const parts = [`## ${operationId}`, `**${prose(summary)}**`, `\`\`\`http\n${method} ${path}\n\`\`\``];
    if (description !== undefined) parts.push(prose(description));
    parts.push(credentialsOf(call));
    if (parameters.length > 0)
      parts.push(
        table(
          ['parameter', 'in', 'type', 'needed', 'meaning'],
          parameters.map((one) => [
            `\`${one.name}\``,
            one.in,
            typeOf(one.schema),
            one.required ? 'required' : '',
            one.description ?? '',
          ]),
        ),
      );
    if (requestBody) parts.push(bodyOf(requestBody.content));
    parts.push(this.#answers(call));
    return parts.join('\n\n');
  }

  #answers({ responses }: Call): string {
    const rows = Object.entries(responses).map(([status, given]) => {
      const answer =
        given.$ref === undefined ? given : (this.#document.components.responses[nameOf(given.$ref)] ?? {});
      const types = Object.entries(answer.content ?? {})
        .filter(([mediaType]) => mediaType !== 'application/problem+json')
        .flatMap(([, { schema }]) => (schema ? [typeOf(schema)] : []));
      return [status, linked((answer.description ?? '').replaceAll(/^- /gm, '')), types.join(' or ')];
    });
    return `Answers:\n\n${table(['status', 'meaning', 'body'], rows)}`;
  }
}

/** A code at the start of a meaning leads to its section in the page of errors. Those of OAuth have none. */
const linked = (description: string): string =>
  description.replaceAll(/^`([a-z_-]+)`:/gm, (text, code: string) =>
    code in problems ? `[\`${code}\`](/websites/errors.md#${code}):` : text,
  );

/** Pages of the site, by their names. */
export function apiReference(): { name: string; title: string; text: string }[] {
  const document = parse(readFileSync(join(root, 'docs/api/openapi.yaml'), 'utf8')) as Document;
  const reference = new Reference(document);
  return [
    ...document.tags.map((tag) => ({
      name: tag.name,
      title: titleOfTag(tag.name),
      text: reference.pageOf(tag),
    })),
    { name: 'schemas', title: 'Schemas', text: reference.schemas() },
  ];
}
