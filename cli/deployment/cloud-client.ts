import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { type TableName, tables } from '../../core/aws/tables.ts';
import { resourceServer } from '../clients/cognito-client.ts';
import { CommandError } from '../command-error.ts';
import { Clients } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** A stack of CloudFormation, found by its stage; its outputs say where everything is. */
export async function cloudDeployment(
  stage: string,
  chosen: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Deployment> {
  const region = await regionOf(chosen, environment);
  const clients = new Clients({ region });
  const stack = `omi-${stage}`;
  const outputs = outputsOf(await describe(clients.cloudformation, stack, region));
  const output = (name: string): string => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new CommandError(
      `The stack ${stack} has no output ${name}.`,
      'Deploy this version of the service first.',
    );
  };
  const names = Object.keys(tables) as TableName[];
  let listed: Promise<StackResourceSummary[]> | undefined;
  const resourcesOf = async (type: string): Promise<string[]> => {
    const all = await (listed ??= listResources(clients.cloudformation, stack));
    return idsOf(all, type);
  };
  return {
    name: `${stack} in ${region}`,
    stage,
    region,
    baseUrl: output('BaseUrl'),
    tokenUrl: outputs.get('TokenUrl'),
    scopePrefix: outputs.has('UserPoolId') ? `${resourceServer}/` : '',
    clients,
    tables: Object.fromEntries(names.map((name) => [name, output(`${titled(name)}Table`)])) as Record<
      TableName,
      string
    >,
    queueUrl: async (name) => await Promise.resolve(output(`${titled(name)}Queue`)),
    userPoolId: outputs.get('UserPoolId'),
    resources: resourcesOf,
    hasPushProviders: true,
    // One that CloudFormation is still making, or failed to, has another id than its ARN.
    pushApplications: async () =>
      (await resourcesOf('Custom::PlatformApplication')).filter((id) => id.startsWith('arn:')),
  };
}

/** As every AWS tool finds it: from the environment, or from the profile. */
async function regionOf(chosen: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  const said = chosen ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  if (said) return said;
  const client = new CloudFormationClient();
  try {
    return await client.config.region();
  } catch (cause) {
    const hint = 'Say it with --region, or in AWS_REGION; --local is for the local stack.';
    throw new CommandError('Which region?', hint, { cause });
  } finally {
    client.destroy();
  }
}

async function describe(client: CloudFormationClient, stack: string, region: string): Promise<Stack> {
  const hint = 'Deploy it first, or name another one with --stage and --region.';
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const [found] = Stacks;
    if (found) return found;
  } catch (cause) {
    // CloudFormation has no error of its own for a stack that is not there.
    if (!(cause instanceof Error && cause.message.includes('does not exist'))) throw cause;
  }
  throw new CommandError(`There is no stack ${stack} in ${region}.`, hint);
}

const outputsOf = ({ Outputs = [] }: Stack): Map<string, string> =>
  new Map(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));

async function listResources(
  client: CloudFormationClient,
  StackName: string,
): Promise<StackResourceSummary[]> {
  const listed: StackResourceSummary[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    listed.push(...StackResourceSummaries);
  return listed;
}

const idsOf = (listed: readonly StackResourceSummary[], type: string): string[] =>
  listed.flatMap(({ ResourceType, PhysicalResourceId }) =>
    ResourceType === type && PhysicalResourceId ? [PhysicalResourceId] : [],
  );

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
