import { Aws, CfnOutput, NestedStack, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
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
import { type RouteLambda, routes, tenantLambdas } from '../lambdas/routes.ts';
import { appAddresses } from './app-addresses.ts';
import type { StageConfig } from './config.ts';
import { Api } from './constructs/api.ts';
import { Data } from './constructs/data.ts';
import { BucketReports } from './constructs/bucket-reports.ts';
import { callBySchedule, connectEventSources } from './constructs/event-sources.ts';
import { Export } from './constructs/export.ts';
import { ExportsPage } from './constructs/exports-page.ts';
import { FailedRecords } from './constructs/failed-records.ts';
import { Identity } from './constructs/identity.ts';
import { Keys } from './constructs/keys.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { Push } from './constructs/push.ts';
import { Queues } from './constructs/queues.ts';
import { Rollout } from './constructs/rollout.ts';
import { type LogSettings, ServiceFunction } from './constructs/service-function.ts';
import { WebApp } from './constructs/web-app.ts';
import { WebPush } from './constructs/web-push.ts';
import type { LambdaCode } from './lambda-code.ts';

export type ServiceStackProps = StackProps & {
  config: StageConfig;
  code: LambdaCode;
  /** Set if CloudFront is in front of the API. */
  webAclArn?: string | undefined;
};

/** The whole service of one stage. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { config, code, webAclArn, ...props }: ServiceStackProps) {
    super(scope, id, { ...props, terminationProtection: config.data.retain });
    const { stage } = config;
    const { retain } = config.data;
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    // A resource with a fixed name is deleted if its creation fails, or the next attempt would find the name taken.
    const named = retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const logs: LogSettings = { retention: config.logRetentionDays, removalPolicy };

    const data = new Data(this, 'Data', config.data);
    const queues = new Queues(this, 'Queues', { removalPolicy });
    const failedRecords = new FailedRecords(this, 'FailedRecords', { removalPolicy });
    const identity = new Identity(this, 'Identity', { issuer: config.identity, retain });
    const exports = new Export(this, 'Export', { stage, removalPolicy: named });
    const push = new Push(this, 'Push', { stage, credentials: config.push, code, logs, removalPolicy });
    const keys = new Keys(this, 'Keys', { config, code, logs, data, retain });
    const api = new Api(this, 'Api', { ...config.api, logs, webAclArn });
    const webPush = new WebPush(this, 'WebPush', {
      ...{ stage, config: config.webPush, url: api.url, code, logs, retain },
    });

    const { webApp } = config;
    const app = webApp.enabled
      ? new WebApp(this, 'WebApp', { settings: webApp, api, webAclArn, retain, stage, code, logs })
      : undefined;
    const { exportsPage: pageSettings } = config;
    const page = pageSettings.enabled
      ? new ExportsPage(this, 'ExportsPage', {
          ...{ settings: pageSettings, api, tokens: identity, webAclArn, stage, code, logs },
        })
      : undefined;
    const values = {
      ...identity.variables,
      UNAUTHORIZED_BY: config.api.unauthorizedBy,
      BASE_URL: api.url,
      ...appAddresses(config, app?.host),
      ...data.variables,
      ...queues.variables,
      ...push.variables,
      ...webPush.variables,
      ...keys.variables,
      // The account whose roles tenants' policies name.
      OPERATOR_ACCOUNT: Aws.ACCOUNT_ID,
      OPERATOR_PARTITION: Aws.PARTITION,
      DELIVERY_STREAM_PREFIX: `omi-${stage}-`,
    } satisfies Values;
    // CloudFormation takes 500 resources in a stack. A Lambda's route, alarms and deployments are in the Lambda's stack.
    const tenantApi = new NestedStack(this, 'TenantApi', {
      description: 'OMI: the API for tenants, and labels of accounts',
    });
    const reports = new BucketReports(this, 'BucketReports', { stage, logs });
    const scopeOf = (name: LambdaName): Construct =>
      reports.has(name)
        ? reports
        : tenantLambdas.has(name) || name === 'set-account-label'
          ? tenantApi
          : this;
    const create = <Name extends LambdaName>(name: Name): ServiceFunction<Name> => {
      const lambda = new ServiceFunction(scopeOf(name), {
        name,
        stage,
        environment: environmentOf(name, values),
        code,
        logs,
        // Tenants trust the role by its name.
        ...(factsOf(name).tenantRoles && { role: { name: `omi-${stage}-${name}`, removalPolicy: named } }),
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
    api.serve(lambdas, authorize);
    const rollout = new Rollout(this, 'Rollout', { pace: config.rollout, stage });

    for (const lambda of [authorize, ...Object.values(lambdas)]) rollout.add(lambda);
    const mappings = connectEventSources(lambdas, { data, queues, failedRecords });
    callBySchedule(lambdas);
    reports.connect(lambdas);
    const alarms = [api.serverErrors, ...rollout.alarms];
    const monitoring = new Monitoring(this, 'Monitoring', {
      stage,
      data,
      queues,
      mappings,
      lambdas,
      alarms,
    });

    this.#output({ api, app, page, webPush, keys, identity, data, queues, monitoring });
    Tags.of(this).add('service', 'omi', untagged);
    Tags.of(this).add('stage', stage, untagged);
  }

  #output({ api, app, page, webPush, keys, identity, data, queues, monitoring }: Parts): void {
    const outputs: Record<string, string | undefined> = {
      BaseUrl: api.url,
      DomainTarget: api.domainTarget,
      AppUrl: app && `https://${app.host}`,
      AppDomainTarget: app?.domainTarget,
      ExportsUrl: page && `https://${page.host}`,
      ExportsDomainTarget: page?.domainTarget,
      Issuer: identity.issuer,
      TokenUrl: identity.tokenUrl,
      UserPoolId: identity.userPoolId,
      WebPushPublicKey: webPush.publicKey,
      SecretsKeyId: keys.secretsKeyId,
      TokenKid: keys.kids.token,
      ReceiptKid: keys.kids.receipt,
      AlarmTopic: monitoring.topic.topicArn,
    };
    for (const [name, table] of Object.entries(data.tables))
      outputs[`${titled(name)}Table`] = table.tableName;
    for (const [name, queue] of Object.entries(queues.queues))
      outputs[`${titled(name)}Queue`] = queue.queueUrl;
    for (const [name, value] of Object.entries(outputs)) {
      if (value !== undefined) new CfnOutput(this, name, { value });
    }
  }
}

/** CloudFormation does not accept tags of a dashboard in every region. */
const untagged = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };

type Parts = {
  api: Api;
  app: WebApp | undefined;
  page: ExportsPage | undefined;
  webPush: WebPush;
  keys: Keys;
  identity: Identity;
  data: Data;
  queues: Queues;
  monitoring: Monitoring;
};

/** Lambdas that the API, a stream, a queue, a schedule or a log calls. */
type CalledLambda = RouteLambda | EventSourceLambda | ScheduledLambda | SubscribedLambda;

const mapLambdas = <Value>(create: (name: CalledLambda) => Value): Record<CalledLambda, Value> => {
  const names = new Set(
    [...routes, ...eventSources, ...schedules, ...logSubscriptions].map(({ lambda }) => lambda),
  );
  return Object.fromEntries([...names].map((name) => [name, create(name)])) as Record<CalledLambda, Value>;
};

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
