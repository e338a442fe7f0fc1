import { Aws, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import {
  type EventSourceLambda,
  eventSources,
  type ScheduledLambda,
  logSubscriptions,
  schedules,
  type SubscribedLambda,
} from '../lambdas/event-sources.ts';
import { environmentOf, factsOf, type LambdaName, type Values } from '../lambdas/registered.ts';
import { type RouteLambda, routes } from '../lambdas/routes.ts';
import { appAddresses } from './app-addresses.ts';
import type { StageConfig } from './config.ts';
import { AlarmTopic } from './constructs/alarm-topic.ts';
import { Api } from './constructs/api.ts';
import { ApiStage } from './constructs/api-stage.ts';
import { Data } from './constructs/data.ts';
import { Console } from './constructs/console.ts';
import { BucketReports } from './constructs/bucket-reports.ts';
import { callBySchedule, connectEventSources } from './constructs/event-sources.ts';
import { Export } from './constructs/export.ts';
import { ExportsPage } from './constructs/exports-page.ts';
import { FailedRecords } from './constructs/failed-records.ts';
import { Identity } from './constructs/identity.ts';
import { Keys, usesLimitedKey } from './constructs/keys.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { Notices } from './constructs/notices.ts';
import { PagesDeployment } from './constructs/pages-deployment.ts';
import { published } from './constructs/published.ts';
import { PublishedKeys } from './constructs/published-keys.ts';
import { Push } from './constructs/push.ts';
import { Queues } from './constructs/queues.ts';
import { Rollout } from './constructs/rollout.ts';
import { type LogSettings, ServiceFunction } from './constructs/service-function.ts';
import { StaffIdentity } from './constructs/staff-identity.ts';
import { VapidSecret } from './constructs/vapid-secret.ts';
import { WebApp } from './constructs/web-app.ts';
import { WebPush } from './constructs/web-push.ts';
import type { LambdaCode } from './lambda-code.ts';
import { lambdaStacks, stackOfLambda } from './lambda-stacks.ts';
import { addOutputs } from './outputs.ts';
import { createStacks } from './stacks.ts';

export type ServiceProps = {
  config: StageConfig;
  code: LambdaCode;
  /** Set if CloudFront is in front of the API. */
  webAclArn?: string | undefined;
};

/**
 * Adds the whole service of one stage. References go from each stack only to stacks before it: data, api, pages, devices,
 * confirmations, export, signals, log and staff, live, monitoring.
 *
 * @returns the stacks in this order
 */
export function addService(scope: Construct, { config, code, webAclArn }: ServiceProps): readonly Stack[] {
  const { stage } = config;
  const { retain } = config.data;
  const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  // A resource with a fixed name is deleted if its creation fails, or the next attempt would find the name taken.
  const named = retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
  const logs: LogSettings = { retention: config.logRetentionDays, removalPolicy };
  const { webApp, exportsPage, console: desk } = config;
  const stacks = createStacks(scope, {
    stage,
    env: config.env,
    retain,
    hasPages: webApp.enabled || exportsPage.enabled || desk.enabled,
  });

  const data = new Data(stacks.data, 'Data', config.data);
  const queues = new Queues(stacks.data, 'Queues', { removalPolicy });
  const failedRecords = new FailedRecords(stacks.data, 'FailedRecords', { removalPolicy });
  const identity = new Identity(stacks.data, 'Identity', { issuer: config.identity, retain, stage });
  const staff = new StaffIdentity(stacks.data, 'Staff', { config: config.staff, retain, stage });
  const keys = new Keys(stacks.data, 'Keys', { config, retain });
  const secret = new VapidSecret(stacks.data, 'WebPush', {
    ...{ retain, copyRegion: config.data.copies?.region },
  });
  const { topicArn } = new AlarmTopic(stacks.data, 'Alarms', { removalPolicy });

  const api = new Api(stacks.api, 'Api', { ...config.api, stage, webAclArn });
  const publicKeys = new PublishedKeys(stacks.api, 'Keys', { stage, code, logs, data, keys });

  const origin = { api, webAclArn };
  const web =
    stacks.pages && webApp.enabled
      ? new WebApp(stacks.pages, 'WebApp', { ...origin, settings: webApp, retain })
      : undefined;
  const page =
    stacks.pages && exportsPage.enabled
      ? new ExportsPage(stacks.pages, 'ExportsPage', {
          ...{ ...origin, settings: exportsPage, tokens: identity, staff, brand: webApp.brand },
        })
      : undefined;
  const exportsUrl = stacks.pages && page && published(stacks.pages, 'ExportsUrl', `https://${page.host}`);
  const consolePage =
    stacks.pages && desk.enabled
      ? new Console(stacks.pages, 'Console', { ...origin, settings: desk, staff, brand: webApp.brand })
      : undefined;

  const push = new Push(stacks.devices, 'Push', {
    ...{ stage, credentials: config.push, code, logs, removalPolicy },
  });
  const webPush = new WebPush(stacks.devices, 'WebPush', {
    ...{ stage, config: config.webPush, url: api.url, code, logs, secret },
  });
  const exports = new Export(stacks.export, 'Export', { stage });
  const notices = new Notices(stacks.export, 'Notices', config.notices);
  const reports = new BucketReports(stacks.export, 'BucketReports', { stage, retention: logs.retention });

  const formerBaseUrls = config.api.formerBaseUrls.join(',') || undefined;
  const values = {
    ...identity.variables,
    ...staff.variables(stacks.staff, consolePage?.signIn),
    EXPORTS_CLIENT_ID: page?.signIn?.clientId,
    EXPORTS_URL: exportsUrl,
    UNAUTHORIZED_BY: config.api.unauthorizedBy,
    BASE_URL: api.url,
    FORMER_BASE_URLS: formerBaseUrls,
    ...appAddresses(config, { web: web?.host, api: api.host }),
    APP_NAME: webApp.brand?.name,
    APP_COLOR: webApp.brand?.color,
    ...data.variables,
    ...queues.variables,
    ...push.variables,
    ...webPush.variables,
    ...keys.variables,
    ...publicKeys.variables,
    // The account whose roles tenants' policies name.
    OPERATOR_ACCOUNT: Aws.ACCOUNT_ID,
    OPERATOR_PARTITION: Aws.PARTITION,
    OPERATOR_REGION: Aws.REGION,
    DELIVERY_STREAM_PREFIX: `omi-${stage}-`,
    ...notices.variables,
  } satisfies Values;
  const create = <Name extends LambdaName>(name: Name): ServiceFunction<Name> => {
    const lambda = new ServiceFunction(stacks[stackOfLambda[name]], {
      name,
      stage,
      environment: environmentOf(name, values),
      code,
      logs,
      // Tenants trust the role by its name, and so do the keys.
      ...(factsOf(name).tenantRoles
        ? { namedRole: { removalPolicy: named } }
        : usesLimitedKey(name) && { namedRole: {} }),
    });
    data.serve(lambda);
    queues.serve(lambda);
    push.serve(lambda);
    webPush.serve(lambda);
    keys.serve(lambda);
    exports.serve(lambda);
    notices.serve(lambda);
    return lambda;
  };
  const authorizers = {
    authorize: create('authorize'),
    'authorize-exports': create('authorize-exports'),
    'authorize-staff': create('authorize-staff'),
  };
  const lambdas = mapLambdas(create);
  const all = [...Object.values(authorizers), ...Object.values(lambdas)];
  api.serve(lambdas, authorizers);
  const live = new ApiStage(stacks.live, 'Default', { ...config.api, ...api.staged, logs });
  for (const name of lambdaStacks) live.deployAfter(stacks[name]);
  // Pages call what their version of the service has: their files come after the aliases have moved and the routes are there.
  const origins = { WebApp: web, ExportsPage: page, Console: consolePage };
  for (const [name, at] of Object.entries(origins)) {
    if (!stacks.pages || !at) continue;
    const { bucket, ...pages } = at.pages;
    const bucketName = published(stacks.pages, `${name}Bucket`, bucket.bucketName);
    const files = { pages: { ...pages, bucketName }, stage, code, logs };
    new PagesDeployment(stacks.live, name, files).node.addDependency(live);
  }
  const rollouts = lambdaStacks.map((name) => {
    const rollout = new Rollout(stacks[name], 'Rollout', { pace: config.rollout, stage });
    for (const lambda of all) if (Stack.of(lambda) === stacks[name]) rollout.add(lambda);
    return rollout;
  });

  const mappings = connectEventSources(lambdas, { data, queues, failedRecords });
  callBySchedule(lambdas);
  reports.connect(lambdas);
  new Monitoring(stacks.monitoring, 'Monitoring', {
    ...{ stage, topicArn, data, queues, mappings, lambdas, all },
    alarms: [api.serverErrors, ...rollouts.flatMap(({ alarms }) => alarms)],
  });

  addOutputs(stacks.api, {
    BaseUrl: api.url,
    FormerBaseUrls: formerBaseUrls,
    DomainTarget: api.domainTarget,
    TokenKid: publicKeys.kids.token,
    ReceiptKid: publicKeys.kids.receipt,
    LogKid: publicKeys.kids.log,
    MailFrom: config.notices.mailFrom,
  });
  if (stacks.pages)
    addOutputs(stacks.pages, {
      AppUrl: web && `https://${web.host}`,
      AppDomainTarget: web?.domainTarget,
      ExportsDomainTarget: page?.domainTarget,
      ConsoleUrl: consolePage && `https://${consolePage.host}`,
      ConsoleDomainTarget: consolePage?.domainTarget,
    });
  addOutputs(stacks.devices, { WebPushPublicKey: webPush.publicKey });
  const inOrder = [
    ...[stacks.data, stacks.api, ...(stacks.pages ? [stacks.pages] : [])],
    ...[stacks.devices, stacks.confirmations, stacks.export, stacks.signals, stacks.log, stacks.staff],
    ...[stacks.live, stacks.monitoring],
  ];
  stacks.pages?.addStackDependency(stacks.api, 'it passes calls on to the API');
  for (const stack of inOrder) {
    if (stack !== stacks.data) stack.addStackDependency(stacks.data, 'it uses the data');
    Tags.of(stack).add('service', 'omi', untagged);
    Tags.of(stack).add('stage', stage, untagged);
  }
  return inOrder;
}

/** CloudFormation does not accept tags of a dashboard in every region. */
const untagged = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };

/** Lambdas that the API, a stream, a queue, a schedule or a log calls. */
type CalledLambda = RouteLambda | EventSourceLambda | ScheduledLambda | SubscribedLambda;

const mapLambdas = <Value>(create: (name: CalledLambda) => Value): Record<CalledLambda, Value> => {
  const names = new Set(
    [...routes, ...eventSources, ...schedules, ...logSubscriptions].map(({ lambda }) => lambda),
  );
  return Object.fromEntries([...names].map((name) => [name, create(name)])) as Record<CalledLambda, Value>;
};
