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
 * One line a call. The route in place of the path, and no query string and no header: those carry user ids, nonces
 * and tokens. The authorizer's context names who called. Every field costs, as most of what is logged are these lines:
 * CloudWatch Logs knows the time by itself.
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

/** The API's only stage: what is deployed is live, logged and throttled. */
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

  /** CDK's stage knows one limit for all routes. */
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

  /** API Gateway refuses settings of routes that do not exist yet. */
  deployAfter(route: Construct): void {
    this.#stage.node.addDependency(route);
  }
}
