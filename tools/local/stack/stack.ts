import { join } from 'node:path';
import { environmentOf, lambdaNames } from '../../../lambdas/registered.ts';
import { type LocalCloud, startLocalCloud } from '../aws/cloud.ts';
import { type Control, startControl } from '../aws/control.ts';
import { startDocsServer } from '../docs/docs-server.ts';
import { startEventSources } from '../event-sources/start.ts';
import { type Api, startApi } from '../gateway/api.ts';
import type { Settings } from '../command/settings.ts';
import { startTokens, type Tokens } from '../issuer/start.ts';
import { startStaffIssuer, type StaffIssuer } from '../staff-issuer/staff-issuer.ts';
import { ensureJava } from '../java/install.ts';
import { createLambdas, type Lambdas } from '../lambda/lambdas.ts';
import { assignRoles } from '../lambda/roles.ts';
import { valuesOf } from '../lambda/values.ts';
import { localTables } from '../resources/tables.ts';
import { bankStream } from '../resources/exports.ts';
import { bankClients, type LocalClient, localTenants } from '../resources/tenants.ts';
import { RequestRecorder } from '../requests/recorder.ts';
import { startRequestsServer } from '../requests/requests-server.ts';
import type { OriginFiles } from '../origin/origin-files.ts';
import type { OriginServer } from '../origin/origin-server.ts';
import { readPage, startPage } from '../origin/page-servers.ts';
import { seedClientSecrets } from '../seed/client-secrets.ts';
import { readyExports } from '../seed/ready-exports.ts';
import { seed, type Seeded } from '../seed/seed.ts';
import { localBank } from '../site/bank.ts';
import { exportedEvents } from '../site/exported-events.ts';
import { programOf, readSiteFiles, startSiteServer } from '../site/site-server.ts';
import { lambdaBundles, pageBundle, timed } from './bundles.ts';
import { type PushService, startPushService } from '../web-push/push-service.ts';
import type { StackDescription } from './stack-file.ts';

export type StackOptions = Omit<Settings, 'isWarm'> & { log: (line: string) => void };

/** On loopback. Each is the URL in the description, unless that is a proxy's. */
export type Addresses = { api: string; app: string };

export type Stack = {
  description: StackDescription;
  /** Where a proxy in front of the stack forwards to. */
  addresses: Addresses;
  /** Whether the next start with the same settings has the same addresses. */
  addressesStay: boolean;
  /** Resolves with a message when an emulator's process ends by itself. */
  crashed: Promise<string>;
  /** Loads the Lambdas before their first calls. */
  warm: () => Promise<void>;
  close: () => Promise<void>;
};

/** Starts everything on loopback. Resolves when it is ready; a failed start leaves nothing running. */
export async function startStack(options: StackOptions): Promise<Stack> {
  await using starting = new AsyncDisposableStack();
  // First, because their ports may be taken, and because other parts need their addresses.
  const recorder = new RequestRecorder();
  const api = await closedWith(
    starting,
    startApi({ port: options.port, publicUrl: options.baseUrl, observe: recorder.add }),
  );
  const { appPort, appUrl: publicUrl } = options;
  const app = await closedWith(starting, startPage('app', { port: appPort, publicUrl, apiUrl: api.address }));
  const site = await closedWith(starting, startSiteServer({ port: options.sitePort, apiUrl: api.address }));
  const exportsPage = await closedWith(
    starting,
    startPage('exports-page', { port: options.exportsPort, apiUrl: api.address }),
  );
  const desk = await closedWith(
    starting,
    startPage('console', { port: options.consolePort, apiUrl: api.address }),
  );
  const staff = await closedWith(
    starting,
    startStaffIssuer({
      ...{ port: options.staffPort, log: options.log },
      ...{ consoleUrl: desk.url, exportsUrl: exportsPage.url },
    }),
  );
  const docs = await closedWith(starting, startDocsServer({ port: options.docsPort, apiUrl: api.address }));
  const requests = await closedWith(
    starting,
    startRequestsServer({
      ...{ port: options.requestsPort, apiUrl: api.address, recorder },
      logFile: logFileIn(options.directory),
    }),
  );
  const fronts = { api, app, site, exportsPage, desk, staff, docs, requests, recorder };
  const stack = await startBehind(fronts, options, starting);
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

type Fronts = {
  api: Api;
  app: OriginServer;
  site: OriginServer;
  exportsPage: OriginServer;
  desk: OriginServer;
  staff: StaffIssuer;
  docs: OriginServer;
  requests: OriginServer;
  recorder: RequestRecorder;
};

async function startBehind(
  fronts: Fronts,
  options: StackOptions,
  parts: AsyncDisposableStack,
): Promise<Omit<Stack, 'close'>> {
  const { api } = fronts;
  const { dataDirectory, log } = options;
  const starting = startTokens({ ...options, audience: api.url });
  const [aws, tokens, bundles, siteFiles, exportsPageFolder] = await Promise.all([
    timed(log, 'AWS services, with tables, queues, tenants and push platforms', startAws(options, parts)),
    timed(log, 'token issuer', closedWith(parts, starting)),
    lambdaBundles(options),
    siteFilesOf(fronts, options),
    pageBundle('exports-page', options),
    openApp(fronts, options),
    openConsole(fronts, options),
  ]);
  const { cloud, queues } = aws;
  fronts.recorder.open(cloud.calls);
  await seedClientSecrets(cloud, tokens.clientSecrets);
  const lambdas = startLambdas({ ...options, fronts, aws, tokens, bundles });
  const eventSources = startEventSources({ aws: cloud, queues, lambdas, dataDirectory, log });
  // Calls end first, and before the AWS that they need. An event source waits for its call, which ends with the Lambda.
  parts.defer(async () => {
    await Promise.all([api.close(), eventSources.close(), lambdas.close()]);
  });
  api.open(lambdas);
  await openExportsPage(fronts, tokens, exportsPageFolder);
  openSite(fronts, { aws, tokens, files: siteFiles, log });
  const exports = await timed(log, 'export targets active', readyExports(cloud));
  return {
    description: { ...describe(fronts, aws, tokens), formerBaseUrls: options.formerBaseUrls, exports },
    addresses: { api: fronts.api.address, app: fronts.app.address },
    addressesStay: options.port !== 0 && options.baseUrl === undefined && tokens.isPortKept,
    crashed: cloud.crashed,
    warm: async () => await lambdas.warm(),
  };
}

async function openApp({ api, app }: Fronts, options: StackOptions): Promise<void> {
  app.open({ files: await readPage('app', await pageBundle('app', options), { baseUrl: api.url }) });
}

async function openConsole({ desk, staff }: Fronts, options: StackOptions): Promise<void> {
  const config = signInOf(staff, staff.clientId);
  desk.open({ files: await readPage('console', await pageBundle('console', options), config) });
}

/** How a page signs its members in. */
const signInOf = ({ issuer, authorizationUrl, tokenUrl }: StaffIssuer, clientId: string) => ({
  ...{ issuer, clientId, authorizationUrl, tokenUrl },
});

async function openExportsPage(
  { app, site, exportsPage, staff }: Fronts,
  { tokenUrl }: Tokens,
  folder: string,
): Promise<void> {
  const signIn = signInOf(staff, staff.exportsClientId);
  const config = { tokenUrl, siteUrl: site.url, appUrl: app.url, signIn };
  exportsPage.open({ files: await readPage('exports-page', folder, config) });
}

const siteFilesOf = async (
  { api, app, exportsPage }: Fronts,
  options: StackOptions,
): Promise<OriginFiles> => {
  const [, , { tenantId, name }] = localTenants;
  const config = {
    ...{ baseUrl: api.url, appUrl: app.url, exportsUrl: exportsPage.url },
    ...{ tenantId, tenantName: name, hasEvents: true, hasOwnUsers: false },
  };
  return await readSiteFiles(await pageBundle('site', options), config);
};

type SiteParts = { aws: Aws; tokens: Tokens; files: OriginFiles; log: (line: string) => void };

function openSite({ api, site }: Fronts, { aws, tokens, files, log }: SiteParts): void {
  const [, , { tenantId }] = localTenants;
  const credentialsOf = ({ clientId }: LocalClient) => ({
    clientId,
    clientSecret: tokens.clientSecrets[clientId] ?? '',
  });
  const bank = localBank({
    origin: site.url,
    api,
    tokenUrl: tokens.tokenUrl,
    tenantId,
    client: credentialsOf(bankClients.usual),
    clientForLimits: credentialsOf(bankClients.limits),
    events: exportedEvents({
      aws: aws.cloud,
      streamName: bankStream,
      writes: aws.cloud.streamWrites,
      log,
    }),
    log,
  });
  site.open({ files, program: programOf(bank) });
}

type Aws = Seeded & { cloud: LocalCloud; control: Control; pushService: PushService };

async function startAws(options: StackOptions, parts: AsyncDisposableStack): Promise<Aws> {
  const { dataDirectory, dynamoDbUrl, kinesisSocket, log } = options;
  if (dynamoDbUrl === undefined) await ensureJava(log);
  const cloud = await closedWith(
    parts,
    startLocalCloud({
      log,
      ...(dataDirectory && { dataDirectory }),
      ...(dynamoDbUrl && { dynamoDbUrl }),
      ...(kinesisSocket && { kinesisSocket }),
    }),
  );
  const pushService = await closedWith(parts, startPushService(cloud));
  const [control, seeded] = await Promise.all([
    closedWith(parts, startControl({ ...cloud, webPushes: pushService.pushes })),
    seed(cloud),
  ]);
  return { cloud, control, pushService, ...seeded };
}

const logFileIn = (directory: string): string => join(directory, 'lambda.log');

type LambdasOptions = Pick<StackOptions, 'directory' | 'formerBaseUrls'> & {
  fronts: Fronts;
  aws: Aws;
  tokens: Tokens;
  bundles: string;
};

function startLambdas({ fronts, aws, tokens, bundles, ...options }: LambdasOptions): Lambdas {
  const { cloud, applications, queues } = aws;
  const values = valuesOf({
    baseUrl: fronts.api.url,
    formerBaseUrls: options.formerBaseUrls,
    appUrl: fronts.app.url,
    exportsUrl: fronts.exportsPage.url,
    issuer: tokens.issuer,
    staff: fronts.staff,
    webPushKey: aws.webPushKey,
    kids: aws.kids,
    webPushUrl: aws.pushService.url,
    tables: localTables,
    applications,
    queues,
  });
  const environments = Object.fromEntries(lambdaNames.map((name) => [name, environmentOf(name, values)]));
  assignRoles(cloud.sessions, lambdaNames);
  return createLambdas({ bundles, environments, aws: cloud, logFile: logFileIn(options.directory) });
}

const staffOf = ({ close: _, members, ...staff }: StaffIssuer) => ({ ...staff, members: [...members] });

function describe(
  { api, app, site, exportsPage, desk, staff, docs, requests }: Fronts,
  { cloud: { region, endpoints }, control: { pushesUrl, mailsUrl, faultsUrl }, pushService }: Aws,
  { tokenUrl, issuer, clientSecrets }: Tokens,
): Omit<StackDescription, 'exports'> {
  const tenants = localTenants.map(({ tenantId, name, clientId }) => ({
    ...{ tenantId, name, clientId },
    clientSecret: clientSecrets[clientId] ?? '',
  }));
  return {
    baseUrl: api.url,
    siteUrl: site.url,
    appUrl: app.url,
    exportsUrl: exportsPage.url,
    consoleUrl: desk.url,
    staff: staffOf(staff),
    docsUrl: docs.url,
    requestsUrl: requests.url,
    tokenUrl,
    issuer,
    tenants,
    aws: { region, endpoints },
    tables: localTables,
    webPushUrl: pushService.url,
    pushesUrl,
    mailsUrl,
    faultsUrl,
    pid: process.pid,
  };
}
