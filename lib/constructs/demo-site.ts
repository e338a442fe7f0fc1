import { CfnDeletionPolicy, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { HttpApi, HttpNoneAuthorizer, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { demoTable } from '../../pages/bank/lambda/tables.ts';
import { demoAccess } from '../../pages/bank/lambda/access.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { ApiStage } from './api-stage.ts';
import { shapeOf } from './data.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type DemoSiteProps = { stage: string; code: LambdaCode; logs: LogSettings };

/**
 * Limits of what strangers can make the operator pay for, and of what they can take from the service: Lambdas of an account
 * share its concurrency.
 */
const throttle = { rate: 20, burst: 100 };
const concurrency = 20;

/**
 * The demo bank: one Lambda with the page's files in its code, behind an HTTP API. Its data lives for hours, and is deleted
 * with the stack.
 */
export class DemoSite extends Construct {
  readonly url: string;
  readonly secretArn: string;

  constructor(scope: Construct, id: string, { stage, code, logs }: DemoSiteProps) {
    super(scope, id);
    const api = new HttpApi(this, 'HttpApi', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const gateway = new ApiStage(this, 'Default', {
      ...{ api, domain: undefined, logs, throttle, routeThrottles: {} },
    });
    this.url = api.apiEndpoint;
    const site = new ServiceFunction(this, {
      name: 'demo-site',
      stage,
      code,
      logs,
      // API Gateway waits for 30 s.
      timeout: Duration.seconds(29),
      concurrency,
    });
    this.#createTable(site);
    this.secretArn = this.#createSecret(site);
    const route = new HttpRoute(this, 'Route', {
      httpApi: api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: new HttpLambdaIntegration('Site', site.callable),
      authorizer: new HttpNoneAuthorizer(),
    });
    gateway.deployAfter(route);
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The demo bank is for everyone. It signs its visitors in itself.',
    });
  }

  #createTable(site: ServiceFunction): void {
    const table = new Table(this, 'Table', {
      ...shapeOf(demoTable),
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Visits last for hours, and nobody would restore one.',
    });
    site.allow(
      demoAccess.map((action) => `dynamodb:${action}`),
      [table.tableArn],
    );
    site.setVariable('DEMO_TABLE', table.tableName);
  }

  /** Without a value: the operator's command writes it, so no credentials are in a template. */
  #createSecret(site: ServiceFunction): string {
    const secret = new CfnSecret(this, 'Connection', {
      description:
        'OMI: what the demo bank knows of the service, and its clients. "omi demo connect" writes it',
    });
    secret.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The clients of the demo bank can only reach its own tenant. "omi demo connect --renew" renews them.',
    });
    site.allow(['secretsmanager:GetSecretValue'], [secret.ref]);
    site.setVariable('DEMO_SECRET_ARN', secret.ref);
    return secret.ref;
  }
}
