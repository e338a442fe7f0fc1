import { type Environment, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** What each stack of the service has, in the order in which they are deployed. */
const descriptions = {
  data: 'OMI: what must never be lost: tables, queues, keys, secrets, the user pool',
  api: 'OMI: the HTTP API, its tokens and its public documents',
  pages: 'OMI: the web app, and the pages of tenants and of the help desk',
  devices: 'OMI: devices, enrolments and the ways of pushes',
  confirmations: 'OMI: confirmations and their callbacks',
  export: "OMI: the export of events to tenants' clouds",
  signals: 'OMI: signals to other organizations, by the Shared Signals Framework',
  log: 'OMI: the log of what was accepted, which nobody can rewrite unseen',
  staff: 'OMI: the help desk',
  live: 'OMI: what goes live last: the stage of the API, with the limits of its routes, and the files of the pages',
  monitoring: 'OMI: the dashboard and the alarms',
} as const;

export type ServiceStackName = keyof typeof descriptions;

/** Those of one stage. Without pages there is no stack for them: CloudFormation refuses a stack without resources. */
export type ServiceStacks = Record<Exclude<ServiceStackName, 'pages'>, Stack> & { pages: Stack | undefined };

export function createStacks(
  scope: Construct,
  { stage, env, retain, hasPages }: { stage: string; env: Environment; retain: boolean; hasPages: boolean },
): ServiceStacks {
  const create = (name: ServiceStackName): Stack =>
    new Stack(scope, `omi-${stage}-${name}`, {
      // Commands find a stage by the names of its stacks, whatever is around them in an app.
      stackName: `omi-${stage}-${name}`,
      description: descriptions[name],
      terminationProtection: retain,
      env,
    });
  return {
    data: create('data'),
    api: create('api'),
    pages: hasPages ? create('pages') : undefined,
    devices: create('devices'),
    confirmations: create('confirmations'),
    export: create('export'),
    signals: create('signals'),
    log: create('log'),
    staff: create('staff'),
    live: create('live'),
    monitoring: create('monitoring'),
  };
}
