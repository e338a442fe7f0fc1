import { App, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { checkSettings, type StageConfig } from '../../lib/config.ts';
import { placeholderCode } from '../../lib/lambda-code.ts';
import { givenStage } from '../../lib/omi-stage.ts';
import { addStage } from '../../lib/stage.ts';
import { newFolderOfRun } from '../support/run-services.ts';
import { contextOf } from './settings.ts';

export type Resource = {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  DependsOn?: string[];
  /** Where its construct is in the app. */
  Metadata?: { 'aws:cdk:path'?: string };
};

export const configOf = (stage: string, settings: object = {}) =>
  configIn(newApp(contextOf(stage, settings)));

export function configIn(app: App): StageConfig {
  const { stage, settings } = givenStage(app);
  return checkSettings(stage, settings);
}

type Given = { stage?: string; settings?: object; demo?: unknown };

/** Of its templates, each is read when a test asks for it. */
class Synthesis {
  readonly assembly: ReturnType<App['synth']>;
  /** Of the service, each after those that it refers to. */
  readonly stacks: readonly Stack[];
  #template: Template | undefined;
  readonly #templates = new Map<string, Template>();

  constructor(app: App, stacks: readonly Stack[]) {
    // app.test.ts checks CloudFormation's rules. Here they would only take time.
    process.env['CDK_VALIDATION'] = 'false';
    this.assembly = app.synth();
    this.stacks = stacks;
  }

  /** Of the whole service: all of its stacks in one. */
  get template(): Template {
    return (this.#template ??= merged(this.stacks));
  }

  /** Of one stack of the service, with its nested ones. The name is what follows the stage. */
  templateOf(name: string): Template {
    const stack = this.stacks.find(({ stackName }) => stackName.endsWith(`-${name}`));
    if (!stack) throw new Error(`The stage has no stack ${name}.`);
    const template = this.#templates.get(name) ?? withNested(stack);
    this.#templates.set(name, template);
    return template;
  }

  /** Of the nested stack with the exports page, if there is one. */
  get exportsPage(): Template | undefined {
    return this.#nested('ExportsPage');
  }

  /** Of the nested stack with the help desk's page, if there is one. */
  get console(): Template | undefined {
    return this.#nested('Console');
  }

  #nested(id: string): Template | undefined {
    const page = this.stacks.map((stack) => stack.node.tryFindChild(id)).find((found) => found !== undefined);
    return NestedStack.isNestedStack(page) ? Template.fromStack(page) : undefined;
  }
}

/** Each stack has been looked through by then. */
const withoutCycleCheck = { skipCyclicalDependenciesCheck: true };

const known = new Map<string, Synthesis>();

/** The CloudFormation template of a stage, without any Lambda's code. */
export const synthesize = (stage = 'dev', settings: object = {}): Template =>
  synthesisOf({ stage, settings }).template;

/** The stacks of a stage, without any Lambda's code. They are made of its configuration alone: the same gives the same. */
export function synthesisOf({ stage = 'dev', settings = {}, demo }: Given): Synthesis {
  const app = stageApp({ stage, settings, demo });
  const config = configIn(app);
  const key = JSON.stringify(config);
  const synthesis = known.get(key) ?? new Synthesis(app, addStage(app, config, placeholderCode));
  known.set(key, synthesis);
  return synthesis;
}

/** The names of the stacks that a synthesis would have, which takes five times as long as to name them. */
export function stackNamesOf({ stage = 'dev', settings = {}, demo }: Given): string[] {
  const app = stageApp({ stage, settings, demo });
  addStage(app, configIn(app), placeholderCode);
  return app.node
    .findAll()
    .filter((one) => Stack.isStack(one) && !NestedStack.isNestedStack(one))
    .map((stack) => Stack.of(stack).stackName);
}

const stageApp = ({ stage = 'dev', settings = {}, demo }: Given): App =>
  newApp({
    ...contextOf(stage, settings),
    ...(demo !== undefined && { demo }),
    'aws:cdk:enable-path-metadata': true,
  });

export const newApp = (context: Record<string, unknown>): App =>
  new App({
    context,
    // The CDK deletes a folder of its own choice when the process ends, which jest hides from what suites load.
    outdir: newFolderOfRun('cdk.out-'),
    // A file for the CDK's command, of which no template knows.
    treeMetadata: false,
  });

type Json = {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown; Description?: string; Export?: { Name: string } }>;
};

/**
 * One template of several stacks, in which a reference to another stack's output is that output's value. Ids that two stacks
 * have in common begin with the stack's name.
 */
function merged(stacks: readonly Stack[]): Template {
  const values = new Map<string, unknown>();
  const all: Required<Json> = { Resources: {}, Outputs: {} };
  for (const stack of stacks) {
    const own = withNested(stack).toJSON() as Json;
    const taken = Object.keys(own.Resources).filter((id) => id in all.Resources);
    const prefix = (stack.stackName.split('-').at(-1) ?? '').replaceAll(/\W/g, '');
    const text = taken.reduce(
      (json, id) => json.replaceAll(`"${id}"`, `"${prefix}${id}"`),
      JSON.stringify(own),
    );
    const { Resources, Outputs = {} } = replaced(JSON.parse(text), (object) => {
      const { 'Fn::GetStackOutput': asked, 'Fn::ImportValue': imported } = object as {
        'Fn::GetStackOutput'?: { StackName: string; OutputName: string };
        'Fn::ImportValue'?: string;
      };
      return values.get(imported ?? `${asked?.StackName}.${asked?.OutputName}`);
    }) as Json;
    for (const [name, { Value, Export }] of Object.entries(Outputs)) {
      values.set(`${stack.stackName}.${name}`, Value);
      if (Export) values.set(Export.Name, Value);
    }
    Object.assign(all.Resources, Resources);
    // Those that only pass a value to other stacks are nobody else's.
    for (const [name, output] of Object.entries(Outputs))
      if (!name.startsWith('PublishOutput')) all.Outputs[name] = output;
  }
  return Template.fromJSON(all, withoutCycleCheck);
}

/** What CloudFormation makes of a stack and its nested ones: their parameters and outputs are the resources themselves. */
function withNested(stack: Stack): Template {
  let all = Template.fromStack(stack).toJSON() as Json;
  for (const nested of stack.node.findAll().filter((one) => NestedStack.isNestedStack(one))) {
    const { nestedStackResource: resource } = nested;
    if (!resource) throw new Error('A nested stack is a resource of the stack around it.');
    const id = stack.getLogicalId(resource);
    const { Parameters = {} } = all.Resources[id]?.Properties ?? {};
    const given = Parameters as Record<string, unknown>;
    const inner = replaced(Template.fromStack(nested).toJSON(), ({ Ref }) => given[String(Ref)]) as Json;
    const { Outputs = {} } = inner;
    const outer = replaced(all, ({ 'Fn::GetAtt': asked }) => {
      const [from, output = ''] = Array.isArray(asked) ? (asked as string[]) : [];
      return from === id ? Outputs[output.replace('Outputs.', '')]?.Value : undefined;
    }) as Json;
    all = { ...outer, Resources: mergedResources(outer, inner, id) };
  }
  return Template.fromJSON(all, withoutCycleCheck);
}

/** What a nested stack depends on comes before all of its resources, and what depends on it comes after all of them. */
function mergedResources(outer: Json, inner: Json, nestedId: string): Json['Resources'] {
  const before = outer.Resources[nestedId]?.DependsOn ?? [];
  const ids = Object.keys(inner.Resources);
  const within = Object.entries(inner.Resources).map(([id, resource]) => {
    const DependsOn = [...before, ...(resource.DependsOn ?? [])];
    return [id, DependsOn.length > 0 ? { ...resource, DependsOn } : resource] as const;
  });
  const around = Object.entries(outer.Resources).map(([id, resource]) => {
    const isAfter = resource.DependsOn?.includes(nestedId) === true;
    return [
      id,
      isAfter ? { ...resource, DependsOn: [...(resource.DependsOn ?? []), ...ids] } : resource,
    ] as const;
  });
  return Object.fromEntries([...around, ...within]);
}

/** The value with other objects in place of those for which the function returns one. */
function replaced(value: unknown, by: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  return by(object) ?? copied(object, (member) => replaced(member, by));
}

function copied(object: Record<string, unknown>, change: (member: unknown) => unknown) {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object)) copy[name] = change(object[name]);
  return copy;
}

const byType = new WeakMap<Template, Map<string, [id: string, resource: Resource][]>>();

/** Of hundreds of questions about a template with thousands of resources, the first sorts them. */
export function resourcesOf(template: Template, type: string): [id: string, resource: Resource][] {
  const sorted =
    byType.get(template) ??
    Map.groupBy(Object.entries((template.toJSON() as Json).Resources), ([, { Type }]) => Type);
  byType.set(template, sorted);
  return sorted.get(type) ?? [];
}

/** What a Lambda writes into the bucket of pages, by the construct of the pages. */
export const filesOf = (template: Template, pages: 'WebApp' | 'ExportsPage' | 'Console') =>
  resourcesOf(template, 'Custom::WebAppFiles').find(([id]) => id.startsWith(pages))?.[1].Properties as {
    bucket: unknown;
    version: unknown;
    documents: { key: string; body: unknown; contentType: string; cacheControl: string }[];
    emptyOnDelete: string;
  };

/** The Lambda behind the alias that a resource names as its target. */
export function lambdaBehind(template: Template, target: unknown): string | undefined {
  const text = JSON.stringify(target);
  const alias = resourcesOf(template, 'AWS::Lambda::Alias').find(([id]) => text.includes(`"Ref":"${id}"`));
  const { Ref } = (alias?.[1].Properties['FunctionName'] ?? {}) as { Ref?: string };
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(([id]) => id === Ref);
  return (found?.[1].Properties['Description'] as string | undefined)?.replace('OMI: ', '');
}

/** The environment of every Lambda by the Lambda's name. */
export const environmentsOf = (template: Template): Map<string, Record<string, unknown>> =>
  new Map(
    resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]) => [
      String(Properties['Description']).replace('OMI: ', ''),
      (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables,
    ]),
  );
