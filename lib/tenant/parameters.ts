import {
  Aws,
  CfnCondition,
  type CfnParameterProps,
  CfnParameter,
  Fn,
  type Stack,
  Validations,
} from 'aws-cdk-lib';

/** A role's ARN and nothing more: no pattern, and no policy variable. */
export const roleArnPattern = String.raw`^arn:aws[a-z-]*:iam::\d{12}:role/[\w+=,.@/-]+$`;

export type Parameter = CfnParameterProps & { label: string; description: string };

/** Adds a template's parameters, grouped and labelled as the console shows them. */
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
 * The name that a tenant gives, or one of our own that follows from account and stack. It is known before the resource
 * is there, so that a key's policy can name the resource that needs the key; and what a deleted stack left behind is
 * in nobody's way.
 */
export function nameOf(stack: Stack, parameter: CfnParameter): string {
  Validations.of(stack).acknowledge({
    id: 'CloudFormation-Validate::W1030',
    reason: 'The empty default is never used as a name: a condition puts another in its place.',
  });
  const isGiven = new CfnCondition(stack, `Has${parameter.node.id}`, {
    expression: Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, '')),
  });
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  const ownName = `omi-events-${Aws.ACCOUNT_ID}-${Fn.select(4, Fn.split('-', stackUuid))}`;
  return Fn.conditionIf(isGiven.logicalId, parameter.valueAsString, ownName).toString();
}
