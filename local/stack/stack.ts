import { join } from 'node:path';
import { bundledLambdas, bundleLambdas } from '../../bundling/bundle.ts';
import { type LocalCloud, startLocalCloud } from '../aws/cloud.ts';
import { type Control, startControl } from '../aws/control.ts';
import { startEventSources } from '../event-sources/start.ts';
import { type Api, startApi } from '../gateway/api.ts';
import { startTokens, type Tokens } from '../issuer/start.ts';
import { ensureJava } from '../java/install.ts';
import { lambdaEnvironments } from '../lambda/environments.ts';
import { createLambdas, type Lambdas } from '../lambda/lambdas.ts';
import { assignRoles } from '../lambda/roles.ts';
import { localTables } from '../resources/tables.ts';
import { localTenants } from '../resources/tenants.ts';
import { readyExports } from '../seed/ready-exports.ts';
import { seed, type Seeded } from '../seed/seed.ts';
import type { StackDescription } from './stack-file.ts';

export type StackOptions = {
  /** The API's port; 0 for any free port. */
  port: number;
  /** For bundles and the Lambdas' log. It must exist. */
  directory: string;
  /** Keeps the data; without it they are lost when the stack stops. */
  dataDirectory?: string;
  /** URL of a DynamoDB Local to use; without it one is started. */
  dynamoDbUrl?: string;
  /** Folder with the Lambdas' bundles; without it they are made. */
  bundles?: string;
  log: (line: string) => void;
};

export type Stack = {
  description: StackDescription;
  /** Resolves with a message when an emulator's process ends by itself. */
  crashed: Promise<string>;
  /** Loads the Lambdas before their first calls. */
  warm: () => Promise<void>;
  close: () => Promise<void>;
};

/** The link in the local stack's QR codes; no app handles it. */
const APP_LINK = 'https://app.omi.example';

/** Starts everything on loopback. Resolves when it is ready; a failed start leaves nothing running. */
export async function startStack(options: StackOptions): Promise<Stack> {
  await using starting = new AsyncDisposableStack();
  // First, because its port may be taken, and because other parts need its address.
  const api = await closedWith(starting, startApi(options.port));
  const stack = await startBehind(api, options, starting);
  const running = starting.move();
  return { ...stack, close: async () => await running.disposeAsync() };
}

/** Closes the part with the others, also if it is still starting when another one fails. */
async function closedWith<Part extends { close: () => Promise<void> }>(
  parts: AsyncDisposableStack,
  starting: Promise<Part>,
): Promise<Part> {
  parts.defer(async () => {
    const [started] = await Promise.allSettled([starting]);
    if (started.status === 'fulfilled') await started.value.close();
  });
  return await starting;
}

async function startBehind(
  api: Api,
  options: StackOptions,
  parts: AsyncDisposableStack,
): Promise<Omit<Stack, 'close'>> {
  const { directory, dataDirectory, log } = options;
  const starting = startTokens({ audience: api.url, dataDirectory, log });
  const [aws, tokens, bundles] = await Promise.all([
    timed(log, 'AWS services, with tables, queues, tenants and push platforms', startAws(options, parts)),
    timed(log, 'token issuer', closedWith(parts, starting)),
    options.bundles ?? makeBundles(join(directory, 'lambdas'), log),
  ]);
  const { cloud, queues } = aws;
  const lambdas = startLambdas({ api, aws, tokens, bundles, directory });
  const eventSources = startEventSources({ aws: cloud, queues, lambdas, dataDirectory, log });
  // Calls end first, and before the AWS that they need. An event source waits for its call, which ends with the Lambda.
  parts.defer(async () => {
    await Promise.all([api.close(), eventSources.close(), lambdas.close()]);
  });
  api.open(lambdas);
  const exports = await timed(log, 'export targets active', readyExports(cloud));
  return {
    description: { ...describe(api, aws, tokens), exports },
    crashed: cloud.crashed,
    warm: async () => await lambdas.warm(),
  };
}

async function makeBundles(folder: string, log: StackOptions['log']): Promise<string> {
  await timed(log, `${bundledLambdas().length} Lambdas bundled`, bundleLambdas(folder));
  return folder;
}

type Aws = Seeded & { cloud: LocalCloud; control: Control };

async function startAws(options: StackOptions, parts: AsyncDisposableStack): Promise<Aws> {
  const { dataDirectory, dynamoDbUrl, log } = options;
  if (dynamoDbUrl === undefined) await ensureJava(log);
  const cloud = await closedWith(
    parts,
    startLocalCloud({ log, ...(dataDirectory && { dataDirectory }), ...(dynamoDbUrl && { dynamoDbUrl }) }),
  );
  const [control, seeded] = await Promise.all([closedWith(parts, startControl(cloud)), seed(cloud)]);
  return { cloud, control, ...seeded };
}

type LambdasOptions = { api: Api; aws: Aws; tokens: Tokens; bundles: string; directory: string };

function startLambdas({ api, aws, tokens, bundles, directory }: LambdasOptions): Lambdas {
  const { cloud, applications, queues } = aws;
  const environments = lambdaEnvironments({
    baseUrl: api.url,
    issuer: tokens.issuer,
    appLink: APP_LINK,
    tables: localTables,
    applications,
    queues,
  });
  assignRoles(cloud.sessions, Object.keys(environments));
  return createLambdas({ bundles, environments, aws: cloud, logFile: join(directory, 'lambda.log') });
}

function describe(
  api: Api,
  { cloud: { region, endpoints }, control: { pushesUrl, faultsUrl } }: Aws,
  { tokenUrl, issuer, clientSecrets }: Tokens,
): Omit<StackDescription, 'exports'> {
  const tenants = localTenants.map((tenant) => ({
    ...tenant,
    clientSecret: clientSecrets[tenant.clientId] ?? '',
  }));
  return {
    baseUrl: api.url,
    tokenUrl,
    issuer,
    tenants,
    aws: { region, endpoints },
    pushesUrl,
    faultsUrl,
    pid: process.pid,
  };
}

async function timed<Result>(log: StackOptions['log'], what: string, work: Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work;
  log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
}
