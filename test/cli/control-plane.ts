/** What the commands ask of AWS about a deployment, and the local stack has not: CloudFormation, Lambda, CloudWatch. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type DeployedStack = {
  name: string;
  outputs: Record<string, string>;
  /** What follows the stage in the name of a stack that is not deployed yet. */
  missing?: string;
  /** The outputs of the demo bank's stack, if there is one. */
  demo?: Record<string, string>;
  /** The outputs of the stack with copies of another region, if there is one. */
  copies?: Record<string, string>;
  /** By id. */
  mappings: Record<string, object>;
  alarms: object[];
  /** Of alarms that CloudFormation made and CloudWatch does not have any more. */
  deletedAlarms: string[];
  /** States of the rules of EventBridge by their names. */
  rules?: Record<string, 'ENABLED' | 'DISABLED'>;
  /** Concurrent executions of the account. */
  concurrency?: number;
  /** ARNs of SNS platform applications. */
  applications: string[];
};

type Answer = { status?: number; type: string; body: string };

const xml = (body: string, status = 200): Answer => ({ status, type: 'text/xml', body });
const json = (value: unknown): Answer => ({
  type: 'application/x-amz-json-1.0',
  body: JSON.stringify(value),
});

const members = (items: string[]): string => items.map((item) => `<member>${item}</member>`).join('');

function describeStack(name: string, outputs: Record<string, string>): Answer {
  const list = Object.entries(outputs).map(
    ([key, value]) => `<OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue>`,
  );
  const stack = `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members(list)}</Outputs>`;
  return xml(answerOf('DescribeStacks', `<Stacks>${members([stack])}</Stacks>`));
}

const noStack = (name: string | null): Answer =>
  xml(
    `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`,
    400,
  );

/** What follows the stage in the names of the service's stacks. */
const parts = ['data', 'api', 'pages', 'devices', 'confirmations', 'export', 'staff', 'live', 'monitoring'];

/** The nested stack that has the alarms. */
const nestedOf = ({ name }: DeployedStack): string =>
  `arn:aws:cloudformation:eu-central-1:000000000000:stack/${name}-Alarms/1`;

const alarmType = 'AWS::CloudWatch::Alarm';

const listNested = ({ alarms }: DeployedStack): Answer =>
  resourceList(alarms.map((alarm) => [alarmType, (alarm as { AlarmName: string }).AlarmName]));

const listResources = (stack: DeployedStack): Answer => {
  const { mappings, rules = {}, deletedAlarms, applications } = stack;
  return resourceList([
    ...Object.keys(rules).map((name): [string, string] => ['AWS::Events::Rule', name]),
    ...Object.keys(mappings).map((id): [string, string] => ['AWS::Lambda::EventSourceMapping', id]),
    ['AWS::CloudFormation::Stack', nestedOf(stack)],
    ...deletedAlarms.map((name): [string, string] => [alarmType, name]),
    ...applications.map((arn): [string, string] => ['Custom::PlatformApplication', arn]),
    ['AWS::SQS::Queue', 'https://sqs.example/queue'],
  ]);
};

function resourceList(resources: [type: string, id: string][]): Answer {
  const listed = resources.map(
    ([type, id]) =>
      `<ResourceType>${type}</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId><LogicalResourceId>X</LogicalResourceId>`,
  );
  const list = `<StackResourceSummaries>${members(listed)}</StackResourceSummaries>`;
  return xml(answerOf('ListStackResources', list));
}

const answerOf = (operation: string, result: string): string =>
  `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`;

async function answer(stack: DeployedStack, request: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const mapping = /event-source-mappings\/([^/?]+)/.exec(request.url ?? '')?.[1];
  if (mapping !== undefined) return json(stack.mappings[mapping]);
  if (request.url?.includes('/account-settings') === true)
    return json({ AccountLimit: { ConcurrentExecutions: stack.concurrency ?? 1_000 } });
  const operation = String(request.headers['x-amz-target'] ?? '');
  if (operation.endsWith('.DescribeRule')) {
    const { Name } = JSON.parse(Buffer.concat(chunks).toString()) as { Name: string };
    return json({ State: stack.rules?.[Name], ScheduleExpression: 'rate(1 hour)' });
  }
  if (operation.endsWith('.ListServiceQuotas'))
    return json({ Quotas: [{ QuotaName: 'Concurrent deployments per account', Value: 1_300 }] });
  if (request.url?.includes('/distribution') === true)
    return xml('<DistributionList><IsTruncated>false</IsTruncated></DistributionList>');
  if (operation !== '') return json({ MetricAlarms: stack.alarms });
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const name = form.get('StackName');
  if (name === `${stack.name}-demo` && stack.demo) return describeStack(name, stack.demo);
  if (name === `${stack.name}-copies` && stack.copies) return describeStack(name, stack.copies);
  if (name === 'CDKToolkit') return describeStack(name, { BootstrapVersion: '30' });
  if (name === nestedOf(stack)) return listNested(stack);
  const part = parts.find((one) => name === `${stack.name}-${one}`);
  if (name === null || part === undefined || part === stack.missing) return noStack(name);
  const isFirst = part === parts[0];
  if (form.get('Action') === 'DescribeStacks') return describeStack(name, isFirst ? stack.outputs : {});
  return isFirst ? listResources(stack) : resourceList([]);
}

/** Serves one deployed stack. */
export async function serveControlPlane(
  stack: DeployedStack,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void answer(stack, request).then(({ status = 200, type, body }) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
