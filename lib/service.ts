import { type App, Aws, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
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
import { BucketReports } from './constructs/bucket-reports.ts';
import { callBySchedule, connectEventSources } from './constructs/event-sources.ts';
import { Export } from './constructs/export.ts';
import { ExportsPage } from './constructs/exports-page.ts';
import { FailedRecords } from './constructs/failed-records.ts';
import { Identity } from './constructs/identity.ts';
import { Keys, usesLimitedKey } from './constructs/keys.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { PublishedKeys } from './constructs/published-keys.ts';
import { Push } from './constructs/push.ts';
import { Queues } from './constructs/queues.ts';
import { Rollout } from './constructs/rollout.ts';
import { type LogSettings, ServiceFunction } from './constructs/service-function.ts';
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
 * confirmations and export, live, monitoring.
 *
 * @returns the stacks in this order
 */
export function addService(app: App, { config, code, webAclArn }: ServiceProps): readonly Stack[] {
  const { stage } = config;
  const { retain } = config.data;
  const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  // A resource with a fixed name is deleted if its creation fails, or the next attempt would find the name taken.
  const named = retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
  const logs: LogSettings = { retention: config.logRetentionDays, removalPolicy };
  const { webApp, exportsPage } = config;
  const stacks = createStacks(app, {
    stage,
    env: config.env,
    retain,
    hasPages: webApp.enabled || exportsPage.enabled,
  });

  const data = new Data(stacks.data, 'Data', config.data);
  const queues = new Queues(stacks.data, 'Queues', { removalPolicy });
  const failedRecords = new FailedRecords(stacks.data, 'FailedRecords', { removalPolicy });
  const identity = new Identity(stacks.data, 'Identity', { issuer: config.identity, retain, stage });
  const keys = new Keys(stacks.data, 'Keys', { config, retain });
  const secret = new VapidSecret(stacks.data, 'WebPush', { retain });
  const { topicArn } = new AlarmTopic(stacks.data, 'Alarms', { removalPolicy });

  const api = new Api(stacks.api, 'Api', { ...config.api, stage, webAclArn });
  const published = new PublishedKeys(stacks.api, 'Keys', { stage, code, logs, data, keys });

  const pages = { stage, code, logs, api, webAclArn };
  const web =
    stacks.pages && webApp.enabled
      ? new WebApp(stacks.pages, 'WebApp', { ...pages, settings: webApp, retain })
      : undefined;
  const page =
    stacks.pages && exportsPage.enabled
      ? new ExportsPage(stacks.pages, 'ExportsPage', { ...pages, settings: exportsPage, tokens: identity })
      : undefined;

  const push = new Push(stacks.devices, 'Push', {
    ...{ stage, credentials: config.push, code, logs, removalPolicy },
  });
  const webPush = new WebPush(stacks.devices, 'WebPush', {
    ...{ stage, config: config.webPush, url: api.url, code, logs, secret },
  });
  const exports = new Export(stacks.export, 'Export', { stage });
  const reports = new BucketReports(stacks.export, 'BucketReports', { stage, retention: logs.retention });

  const formerBaseUrls = config.api.formerBaseUrls.join(',') || undefined;
  const values = {
    ...identity.variables,
    UNAUTHORIZED_BY: config.api.unauthorizedBy,
    BASE_URL: api.url,
    FORMER_BASE_URLS: formerBaseUrls,
    ...appAddresses(config, { web: web?.host, api: api.host }),
    ...data.variables,
    ...queues.variables,
    ...push.variables,
    ...webPush.variables,
    ...keys.variables,
    ...published.variables,
    // The account whose roles tenants' policies name.
    OPERATOR_ACCOUNT: Aws.ACCOUNT_ID,
    OPERATOR_PARTITION: Aws.PARTITION,
    OPERATOR_REGION: Aws.REGION,
    DELIVERY_STREAM_PREFIX: `omi-${stage}-`,
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
    return lambda;
  };
  const authorize = create('authorize');
  const lambdas = mapLambdas(create);
  const all = [authorize, ...Object.values(lambdas)];
  api.serve(lambdas, authorize);
  const live = new ApiStage(stacks.live, 'Default', { ...config.api, ...api.staged, logs });
  for (const name of lambdaStacks) live.deployAfter(stacks[name]);
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
    TokenKid: published.kids.token,
    ReceiptKid: published.kids.receipt,
  });
  if (stacks.pages)
    addOutputs(stacks.pages, {
      AppUrl: web && `https://${web.host}`,
      AppDomainTarget: web?.domainTarget,
      ExportsUrl: page && `https://${page.host}`,
      ExportsDomainTarget: page?.domainTarget,
    });
  addOutputs(stacks.devices, { WebPushPublicKey: webPush.publicKey });
  const inOrder = [
    ...[stacks.data, stacks.api, ...(stacks.pages ? [stacks.pages] : [])],
    ...[stacks.devices, stacks.confirmations, stacks.export, stacks.live, stacks.monitoring],
  ];
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
