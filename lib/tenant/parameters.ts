import {
  Aws,
  CfnCondition,
  type CfnParameterProps,
  CfnParameter,
  Fn,
  type Stack,
  Validations,
} from 'aws-cdk-lib';

/** The ARN of one role, without wildcards and policy variables. */
export const roleArnPattern = String.raw`^arn:aws[a-z-]*:iam::\d{12}:role/[\w+=,.@/-]+$`;

export type Parameter = CfnParameterProps & { label: string; description: string };

/** Adds a template's parameters with groups and labels for the console. */
export function addParameters<const Name extends string>(
  stack: Stack,
  groups: Record<string, Partial<Record<Name, Parameter>>>,
): Record<Name, CfnParameter> {
  const described = Object.values(groups).flatMap((group) => Object.entries<Parameter | undefined>(group));
  const parameters = described.flatMap(([name, props]) =>
    props ? [{ name, label: props.label, parameter: new CfnParameter(stack, name, props) }] : [],
  );
  stack.templateOptions.metadata = {
    'AWS::CloudFormation::Interface': {
      ParameterGroups: Object.entries(groups).map(([title, group]) => ({
        Label: { default: title },
        Parameters: Object.keys(group),
      })),
      ParameterLabels: Object.fromEntries(parameters.map(({ name, label }) => [name, { default: label }])),
    },
  };
  return Object.fromEntries(parameters.map(({ name, parameter }) => [name, parameter])) as Record<
    Name,
    CfnParameter
  >;
}

/**
 * The name from the parameter, or one that is made from the account and the stack. It is known before the resource exists, so
 * the key's policy can name the resource. It is unique, so resources of deleted stacks do not conflict with it.
 */
export function nameOf(stack: Stack, parameter: CfnParameter): string {
  Validations.of(stack).acknowledge({
    id: 'CloudFormation-Validate::W1030',
    reason: 'A condition replaces the empty default by another name.',
  });
  const isGiven = new CfnCondition(stack, `Has${parameter.node.id}`, {
    expression: Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, '')),
  });
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  const ownName = `omi-events-${Aws.ACCOUNT_ID}-${Fn.select(4, Fn.split('-', stackUuid))}`;
  return Fn.conditionIf(isGiven.logicalId, parameter.valueAsString, ownName).toString();
}
