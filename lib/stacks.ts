import { type App, type Environment, Stack } from 'aws-cdk-lib';

/** What each stack of the service has, in the order in which they are deployed. */
const descriptions = {
  data: 'OMI: what must never be lost: tables, queues, keys, secrets, the user pool',
  api: 'OMI: the HTTP API, its tokens and its public documents',
  pages: 'OMI: the web app, and the page on which tenants see and steer their exports',
  devices: 'OMI: devices, enrolments and the ways of pushes',
  confirmations: 'OMI: confirmations and their call-backs',
  export: "OMI: the export of events to tenants' clouds",
  live: 'OMI: the stage of the API, with the limits of its routes',
  monitoring: 'OMI: the dashboard and the alarms',
} as const;

export type ServiceStackName = keyof typeof descriptions;

/** Those of one stage. Without pages there is no stack for them: CloudFormation refuses a stack without resources. */
export type ServiceStacks = Record<Exclude<ServiceStackName, 'pages'>, Stack> & { pages: Stack | undefined };

export function createStacks(
  app: App,
  { stage, env, retain, hasPages }: { stage: string; env: Environment; retain: boolean; hasPages: boolean },
): ServiceStacks {
  const create = (name: ServiceStackName): Stack =>
    new Stack(app, `omi-${stage}-${name}`, {
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
    live: create('live'),
    monitoring: create('monitoring'),
  };
}
