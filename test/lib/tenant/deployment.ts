/** Evaluates a template as CloudFormation does, as far as the tenants' templates use its language. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Resource = {
  Type: string;
  Condition?: string;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  Properties: Record<string, Json>;
};
export type Parameter = { Type: string; Default?: Json; AllowedPattern?: string };
export type Template = {
  Parameters: Record<string, Parameter>;
  Conditions: Record<string, Json>;
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: Json }>;
};

export const templateOf = (name: string): Template =>
  parse(readFileSync(`docs/templates/${name}.yaml`, 'utf8'), { version: '1.1' }) as Template;

/** The text of a value. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  throw new Error(`Expected a text: ${JSON.stringify(value)}`);
}

const account = '111122223333';
const region = 'eu-central-1';
const pseudo: Record<string, Json> = {
  'AWS::Partition': 'aws',
  'AWS::AccountId': account,
  'AWS::Region': region,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/events/1234abcd-12ab-34cd-56ef-1234567890ab`,
};

export const keyArn = `arn:aws:kms:${region}:${account}:key/made-by-the-stack`;
export const roleArn = `arn:aws:iam::${account}:role/made-by-the-stack`;

/** Values of `Ref` and of the attribute `Arn`. */
const references: Record<string, (name: Json) => { ref: Json; arn: string }> = {
  'AWS::IAM::Role': () => ({ ref: 'made-by-the-stack', arn: roleArn }),
  'AWS::KMS::Key': () => ({ ref: 'made-by-the-stack', arn: keyArn }),
  'AWS::Kinesis::Stream': (name) => ({
    ref: name,
    arn: `arn:aws:kinesis:${region}:${account}:stream/${textOf(name)}`,
  }),
  'AWS::Glue::Database': (name) => ({ ref: name, arn: '' }),
  'AWS::S3::Bucket': (name) => ({ ref: name, arn: `arn:aws:s3:::${textOf(name)}` }),
};

const nothing = Symbol('AWS::NoValue');
type Value = Json | typeof nothing;

export type Deployed = { resources: Record<string, Record<string, Json>>; outputs: Record<string, Json> };

export function deploy(template: Template, given: Record<string, Json>): Deployed {
  const resolve = (value: Json): Value => {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== nothing);
    if (typeof value !== 'object' || value === null) return value;
    const [[name, argument] = ['', null]] = Object.entries(value);
    const intrinsic = intrinsics[name];
    if (intrinsic) return intrinsic(argument as Json[]);
    const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner)] as const);
    return Object.fromEntries(entries.filter(([, inner]) => inner !== nothing)) as Json;
  };
  const plain = (value: Json | undefined): Json => resolve(value ?? null) as Json;
  const text = (value: Json | undefined): string => textOf(plain(value));

  const attribute = (id: string, which: 'ref' | 'arn'): Json => {
    const { Type, Properties } = template.Resources[id] ?? { Type: '', Properties: {} };
    const reference = references[Type];
    if (!reference) throw new Error(`Nothing to refer to: ${id}`);
    const { Name: inside } = (Properties['DatabaseInput'] ?? {}) as { Name?: Json };
    return reference(plain(Properties['BucketName'] ?? Properties['Name'] ?? inside))[which];
  };
  const refer = (name: string): Value => {
    if (name === 'AWS::NoValue') return nothing;
    return pseudo[name] ?? given[name] ?? template.Parameters[name]?.Default ?? attribute(name, 'ref');
  };
  const substitute = (pattern: string, variables: Record<string, Json>): string =>
    pattern.replaceAll(/\$\{(!?[^}]+)\}/g, (_, name: string) => {
      if (name.startsWith('!')) return `\${${name.slice(1)}}`;
      if (name in variables) return text(variables[name]);
      return textOf(name.endsWith('.Arn') ? attribute(name.slice(0, -4), 'arn') : refer(name));
    });

  const intrinsics: Record<string, (argument: Json[]) => Value> = {
    Ref: (name) => refer(textOf(name)),
    'Fn::GetAtt': ([id]) => attribute(textOf(id), 'arn'),
    'Fn::Sub': (argument) => {
      const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
      return substitute(textOf(pattern), variables as Record<string, Json>);
    },
    'Fn::Base64': (value) => Buffer.from(text(value)).toString('base64'),
    'Fn::Select': ([index, list]) => (plain(list) as Json[])[Number(index)] ?? null,
    'Fn::Split': ([separator, whole]) => text(whole).split(textOf(separator)),
    'Fn::Equals': ([one, other]) => text(one) === text(other),
    'Fn::Not': ([condition]) => plain(condition) !== true,
    'Fn::If': ([condition, yes, no]) => resolve((holds(textOf(condition)) ? yes : no) ?? null),
  };
  const holds = (condition: string): boolean => plain(template.Conditions[condition]) === true;

  const there = Object.entries(template.Resources).filter(
    ([, { Condition }]) => Condition === undefined || holds(Condition),
  );
  return {
    resources: Object.fromEntries(
      there.map(([id, { Properties }]) => [id, plain(Properties) as Record<string, Json>]),
    ),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs ?? {}).map(([name, { Value: value }]) => [name, plain(value)]),
    ),
  };
}
