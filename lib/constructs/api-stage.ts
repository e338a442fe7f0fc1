import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  type DomainName,
  type HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { LogSettings } from './service-function.ts';

export type ApiStageProps = Pick<StageConfig['api'], 'throttle' | 'routeThrottles'> & {
  api: HttpApi;
  domain: DomainName | undefined;
  logs: LogSettings;
};

/**
 * One log line per call. It has no path, query string or header, because they contain user ids, nonces and tokens. Most of
 * the log consists of these lines, so each field costs money. CloudWatch Logs adds the time.
 */
const logged = {
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  tenantId: '$context.authorizer.tenantId',
  clientId: '$context.authorizer.clientId',
  sourceIp: '$context.identity.sourceIp',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  authorizerError: '$context.authorizer.error',
  error: '$context.error.responseType',
};

/** The API's only stage. Deployed routes are live at once, logged and throttled. */
export class ApiStage extends Construct {
  readonly #stage: HttpStage;

  constructor(scope: Construct, id: string, { api, domain, logs, throttle, routeThrottles }: ApiStageProps) {
    super(scope, id);
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      detailedMetricsEnabled: true,
      accessLogSettings: {
        destination: new LogGroupLogDestination(new LogGroup(this, 'AccessLogs', logs)),
        format: AccessLogFormat.custom(JSON.stringify(logged)),
      },
      throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
      ...(domain && { domainMapping: { domainName: domain } }),
    });
    this.#throttleRoutes(routeThrottles);
  }

  /** CDK's stage construct has only one limit for all routes. */
  #throttleRoutes(throttles: StageConfig['api']['routeThrottles']): void {
    if (Object.keys(throttles).length === 0) return;
    const { defaultChild } = this.#stage.node;
    if (!CfnStage.isCfnStage(defaultChild)) throw new Error('An HttpStage is expected to have a CfnStage.');
    defaultChild.routeSettings = Object.fromEntries(
      Object.entries(throttles).map(([routeKey, { rate, burst }]) => [
        routeKey,
        { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst, DetailedMetricsEnabled: true },
      ]),
    );
  }

  /** API Gateway rejects settings of routes that do not exist yet. */
  deployAfter(route: Construct): void {
    this.#stage.node.addDependency(route);
  }
}
