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
import type { CopiedStage, CopiesPlace, Demo, Deployment } from './deployment.ts';

/** A deployment in CloudFormation. The outputs of its stacks name all resources. */
export async function cloudDeployment(
  stage: string,
  chosen: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Deployment> {
  const region = await regionOf(chosen, environment);
  const clients = new Clients({ region });
  const name = `omi-${stage}`;
  const stacks = await stacksOf(clients.cloudformation, name, region);
  const outputs = new Map(stacks.flatMap((stack) => [...outputsOf(stack)]));
  const output = (key: string): string => {
    const value = outputs.get(key);
    if (value !== undefined) return value;
    throw new CommandError(
      `The stacks of ${name} have no output ${key}.`,
      'Deploy this version of the service first.',
    );
  };
  let listed: Promise<StackResourceSummary[]> | undefined;
  const resourcesOf = async (type: string): Promise<string[]> => {
    const all = await (listed ??= listAll(clients.cloudformation, stacks));
    return idsOf(all, type);
  };
  return {
    name: `${name} in ${region}`,
    selector: `--stage ${stage} --region ${region}`,
    stage,
    region,
    baseUrl: output('BaseUrl'),
    formerBaseUrls: outputs.get('FormerBaseUrls')?.split(',') ?? [],
    appUrl: outputs.get('AppUrl'),
    exportsUrl: outputs.get('ExportsUrl'),
    consoleUrl: outputs.get('ConsoleUrl'),
    mailFrom: outputs.get('MailFrom'),
    tokenUrl: outputs.get('TokenUrl'),
    scopePrefix: outputs.has('UserPoolId') ? `${resourceServer}/` : '',
    clients,
    tables: tablesIn(output),
    queueUrl: async (queue) => await Promise.resolve(output(`${titled(queue)}Queue`)),
    secretsKeyId: () => output('SecretsKeyId'),
    webPushSecretId: () => output('WebPushSecretArn'),
    signingKids: async () =>
      await Promise.resolve({
        token: output('TokenKid'),
        receipt: output('ReceiptKid'),
        log: output('LogKid'),
      }),
    userPoolId: outputs.get('UserPoolId'),
    resources: resourcesOf,
    demo: async () => await demoIn(clients.cloudformation, `${name}-demo`),
    copies: async () => await copiesOf(clients.cloudformation, `${name}-backups`),
    hasAccount: true,
    // The id is not an ARN while CloudFormation creates the application, or if that failed.
    pushApplications: async () =>
      (await resourcesOf('Custom::PlatformApplication')).filter((id) => id.startsWith('arn:')),
  };
}

/** From the option, the environment or the profile, like in every AWS tool. */
export async function regionOf(chosen: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  const region = chosen ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  if (region) return region;
  const client = new CloudFormationClient();
  try {
    return await client.config.region();
  } catch (cause) {
    const hint = 'Pass --region or set AWS_REGION. --local selects the local stack.';
    throw new CommandError('The AWS region is unknown.', hint, { cause });
  } finally {
    client.destroy();
  }
}

/** What follows the stage in the names of the service's stacks. A stage without pages has no stack for them. */
const required = ['data', 'api', 'devices', 'confirmations', 'export', 'staff', 'live', 'monitoring'];
const optional = ['pages'];

async function stacksOf(client: CloudFormationClient, prefix: string, region: string): Promise<Stack[]> {
  const find = async (part: string) => [part, await findStack(client, `${prefix}-${part}`)] as const;
  const found = await Promise.all([...required, ...optional].map(find));
  const [missing] = found.filter(([part, stack]) => !stack && required.includes(part));
  if (missing) throw noStack(`${prefix}-${missing[0]}`, region);
  return found.flatMap(([, stack]) => stack ?? []);
}

const noStack = (stack: string, region: string): CommandError =>
  new CommandError(
    `There is no stack ${stack} in ${region}.`,
    'Deploy all stacks of the stage first (npx cdk deploy --all), or select another one with --stage and --region.',
  );

async function findStack(client: CloudFormationClient, StackName: string): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0];
  } catch (error) {
    // CloudFormation has no error code for a missing stack.
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

async function demoIn(client: CloudFormationClient, stack: string): Promise<Demo | undefined> {
  const found = await findStack(client, stack);
  const outputs = found && outputsOf(found);
  const [url, secretArn] = [outputs?.get('DemoUrl'), outputs?.get('DemoSecret')];
  // A stack that is being created has no outputs yet.
  return url === undefined || secretArn === undefined ? undefined : { url, secretArn };
}

async function copiesOf(client: CloudFormationClient, stack: string): Promise<CopiesPlace | undefined> {
  const found = await findStack(client, stack);
  const outputs = found && outputsOf(found);
  const [region, vault] = [outputs?.get('CopiesRegion'), outputs?.get('CopiesVault')];
  if (region === undefined || vault === undefined) return undefined;
  return { region, vault, everyHours: Number(outputs?.get('CopiesEveryHours')) };
}

/**
 * What the second region of a stage knows of it. Nothing of the first one is asked.
 *
 * @throws {CommandError} if there are no copies
 */
export async function copiedStage(
  { cloudformation }: Clients,
  stage: string,
  region: string,
): Promise<CopiedStage> {
  const [copies, data] = await Promise.all([
    findStack(cloudformation, `omi-${stage}-copies`),
    findStack(cloudformation, `omi-${stage}-data`),
  ]);
  if (!copies)
    throw new CommandError(
      `There are no copies of omi-${stage} in ${region}: there is no stack omi-${stage}-copies.`,
      '--region names the region of the copies, as "data.copies" in the settings of the stage does.',
    );
  const [there, deployed] = [outputsOf(copies), data && outputsOf(data)];
  const keys = [...there].flatMap(([output, id]) => {
    const [, name] = /^(\w+)KeyId$/.exec(output) ?? [];
    return name === undefined ? [] : [[name, id] as const];
  });
  const output = (key: string): string => there.get(key) ?? '';
  return {
    of: output('LostRegion'),
    vault: output('CopiesVault'),
    restoreRoleArn: output('RestoreRoleArn'),
    webPushSecretArn: output('WebPushSecretArn'),
    keys: Object.fromEntries(keys),
    tables: tablesIn(output),
    // Without outputs the first deployment of the data failed, or has not begun.
    deployed: deployed?.has('TenantsTable') ? tablesIn((key) => deployed.get(key) ?? '') : undefined,
  };
}

const tablesIn = (output: (key: string) => string): Record<TableName, string> =>
  Object.fromEntries(Object.keys(tables).map((name) => [name, output(`${titled(name)}Table`)])) as Record<
    TableName,
    string
  >;

const outputsOf = ({ Outputs = [] }: Stack): Map<string, string> =>
  new Map(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));

const listAll = async (
  client: CloudFormationClient,
  stacks: readonly Stack[],
): Promise<StackResourceSummary[]> => {
  const listed = await Promise.all(
    stacks.map(async ({ StackName = '' }) => await listResources(client, StackName)),
  );
  return listed.flat();
};

/** With those of nested stacks. */
async function listResources(
  client: CloudFormationClient,
  StackName: string,
): Promise<StackResourceSummary[]> {
  const listed: StackResourceSummary[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    listed.push(...StackResourceSummaries);
  const nested = idsOf(listed, 'AWS::CloudFormation::Stack');
  const inner = await Promise.all(nested.map(async (id) => await listResources(client, id)));
  return [...listed, ...inner.flat()];
}

const idsOf = (listed: readonly StackResourceSummary[], type: string): string[] =>
  listed.flatMap(({ ResourceType, PhysicalResourceId }) =>
    ResourceType === type && PhysicalResourceId ? [PhysicalResourceId] : [],
  );

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
