/** What an upgrade must keep of a stage's stacks: the resources that are retained or that others know by name, and the outputs. */

type Resource = { Type: string; DeletionPolicy?: string; Properties?: Record<string, unknown> };
export type Template = { Resources: Record<string, Resource>; Outputs?: Record<string, unknown> };

type Kept = { type: string; name?: unknown };
type StackRecord = { resources: Record<string, Kept>; outputs: string[] };

/** By the names of the stacks. */
export type StageRecord = Record<string, StackRecord>;

/** `FunctionName`, `RoleName` and so on: the property of a resource that gives it a name. Texts alone are fixed. */
function nameOf({ Type, Properties = {} }: Resource): unknown {
  const kind = Type.split('::').at(-1) ?? '';
  const value = Properties[`${kind}Name`] ?? Properties['Name'];
  return value !== null && typeof value === 'object' ? undefined : value;
}

/** Each deployment makes new versions of a Lambda, and a policy is a part of its role. */
const unnamed = ['AWS::Lambda::Version', 'AWS::IAM::Policy'];

function recordOfStack({ Resources, Outputs = {} }: Template): StackRecord {
  const kept = Object.entries(Resources).flatMap(([id, resource]) => {
    const name = nameOf(resource);
    const isRetained = resource.DeletionPolicy?.startsWith('Retain') === true;
    if (unnamed.includes(resource.Type) || (name === undefined && !isRetained)) return [];
    return [[id, { type: resource.Type, ...(name !== undefined && { name }) }] as const];
  });
  // The others pass a value from stack to stack.
  const outputs = Object.keys(Outputs).filter((name) => !name.startsWith('PublishOutput'));
  return { resources: Object.fromEntries(kept), outputs: outputs.toSorted() };
}

export const recordOf = (templates: Record<string, Template>): StageRecord =>
  Object.fromEntries(Object.entries(templates).map(([stack, template]) => [stack, recordOfStack(template)]));

/**
 * What an upgrade would lose. A resource with another logical id, type or name is a new one; in another stack it meets its own name,
 * and CloudFormation fails.
 */
export function lostIn(current: StageRecord, released: StageRecord): string[] {
  return Object.entries(released).flatMap(([stack, { resources, outputs }]) => {
    const now = current[stack];
    if (now === undefined) return [`the stack ${stack}`];
    const lost = Object.entries(resources).filter(
      ([id, kept]) => JSON.stringify(now.resources[id]) !== JSON.stringify(kept),
    );
    return [
      ...lost.map(([id, { type }]) => `${type} ${id} of ${stack}`),
      ...outputs
        .filter((name) => !now.outputs.includes(name))
        .map((name) => `the output ${name} of ${stack}`),
    ];
  });
}
