import { Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  AuthorizerPayloadVersion,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpAuthorizer,
  HttpAuthorizerType,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { edgeHeader } from '../../core/http/edge.ts';
import { isExecuteApi } from '../../core/kernel/base-urls.ts';
import {
  type AuthorizerName,
  authorizerOf,
  type RouteDefinition,
  type RouteLambda,
  routes,
  strayRoutes,
} from '../../lambdas/routes.ts';
import { runbook } from '../alarms.ts';
import type { StageConfig } from '../config.ts';
import type { EdgeConfig } from '../edge-stack.ts';
import { Edge } from './edge.ts';
import { published } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

export type ApiProps = StageConfig['api'] & {
  stage: string;
  /** Web ACL of the stage's edge stack, if it has one. */
  webAclArn?: string | undefined;
};

/** The HTTP API in front of the Lambdas. */
export class Api extends Construct {
  /** Without a final slash. Devices sign it as `aud`. */
  readonly url: string;
  /** Host of {@link url}. */
  readonly host: string;
  /** Target of the custom domain's DNS record. */
  readonly domainTarget: string | undefined;
  /** Rings for 5xx answers: a fault of the service or of AWS. */
  readonly serverErrors: Alarm;
  readonly #api: HttpApi;
  readonly #edge: Edge | undefined;
  readonly #domain: DomainName | undefined;
  readonly #identitySource: string[];

  constructor(
    scope: Construct,
    id: string,
    { corsOrigins, domain: domainConfig, formerBaseUrls, edge, webAclArn, stage }: ApiProps,
  ) {
    super(scope, id);
    const domain = domainConfig && this.#createDomain(domainConfig);
    this.#domain = domain;
    this.#api = new HttpApi(this, 'HttpApi', {
      apiName: `omi-${stage}`,
      createDefaultStage: false,
      // An API with its own domain answers only to the names that devices sign.
      disableExecuteApiEndpoint: domain !== undefined && !formerBaseUrls.some(isExecuteApi),
      ...(corsOrigins.length > 0 && { corsPreflight: cors(corsOrigins) }),
    });
    this.url = domainConfig ? `https://${domainConfig.name}` : this.#api.apiEndpoint;
    this.host = domainConfig?.name ?? published(this, 'ApiHost', Fn.parseDomainName(this.#api.apiEndpoint));
    this.#edge = edge && this.#createEdge(edge, { name: domainConfig?.name, domain, webAclArn });
    this.#identitySource = identitySource(edge?.required === true);
    this.domainTarget = this.#edge?.domainTarget ?? domain?.regionalDomainName;
    this.serverErrors = this.#api
      .metricServerError({ period: Duration.minutes(1), statistic: Stats.SUM })
      .createAlarm(this, 'ServerErrors', {
        alarmDescription: runbook(
          'Websites and devices get 5xx, so users cannot confirm.',
          'the-api-answers-5xx',
        ),
        threshold: 5,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
  }

  /** What the API's stage needs. */
  get staged(): { api: HttpApi; domain: DomainName | undefined } {
    return { api: this.#api, domain: this.#domain };
  }

  #createDomain({ name, certificateArn }: NonNullable<ApiProps['domain']>): DomainName {
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    return new DomainName(this, 'Domain', { domainName: name, certificate });
  }

  #createEdge(
    edge: EdgeConfig,
    {
      name,
      domain,
      webAclArn,
    }: { name?: string | undefined; domain: DomainName | undefined; webAclArn: string | undefined },
  ): Edge {
    if (name === undefined || !domain || webAclArn === undefined)
      throw new Error('CloudFront in front of the API requires its domain and a web ACL.');
    return new Edge(this, 'Edge', { edge, webAclArn, domain: { name, target: domain.regionalDomainName } });
  }

  /** Creates every route of the tables. Calls with a token pass their authorizer; devices sign their calls. */
  serve(
    lambdas: Record<RouteLambda, ServiceFunction>,
    authorize: Record<AuthorizerName, ServiceFunction>,
  ): void {
    const authorizers: Record<AuthorizerName, IHttpRouteAuthorizer> = {
      authorize: tokenAuthorizer('Token', authorize.authorize, this.#identitySource),
      'authorize-exports': this.#authorizerOfPage('ExportsToken', authorize['authorize-exports']),
      'authorize-staff': this.#authorizerOfPage('StaffToken', authorize['authorize-staff']),
    };
    const none = new HttpNoneAuthorizer();
    const served = [...Object.values(authorize), ...routes.map((route) => lambdas[route.lambda])];
    for (const lambda of served) this.#edge?.serve(lambda);
    for (const route of [...routes, ...strayRoutes]) {
      const name = authorizerOf(route);
      const created = this.#addRoute(route, lambdas[route.lambda], name ? authorizers[name] : none);
      if (!name) acknowledgeNoAuthorizer(created, route);
    }
  }

  /**
   * In the stack of its Lambda, which knows the client of the page where members sign in. The CDK's own authorizer would be in the
   * API's stack, on which that page depends.
   */
  #authorizerOfPage(id: string, { callable }: ServiceFunction): IHttpRouteAuthorizer {
    const scope = Stack.of(callable);
    const { authorizerId } = new HttpAuthorizer(scope, id, {
      httpApi: this.#api,
      type: HttpAuthorizerType.LAMBDA,
      payloadFormatVersion: AuthorizerPayloadVersion.VERSION_2_0,
      enableSimpleResponses: true,
      identitySource: this.#identitySource,
      resultsCacheTtl: authorizerCache,
      authorizerUri: scope.formatArn({
        ...{ service: 'apigateway', account: 'lambda', resource: 'path/2015-03-31/functions' },
        resourceName: `${callable.functionArn}/invocations`,
      }),
    });
    callable.addPermission(id, {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: scope.formatArn({
        ...{ service: 'execute-api', resource: this.#api.apiId },
        resourceName: `authorizers/${authorizerId}`,
      }),
    });
    const given = { authorizerId, authorizerType: 'CUSTOM' };
    return HttpAuthorizer.fromHttpAuthorizerAttributes(scope, `${id}OfRoutes`, given);
  }

  /** The route and its integration are in the Lambda's stack. */
  #addRoute(
    { method, path, lambda: name }: RouteDefinition,
    lambda: ServiceFunction,
    authorizer: IHttpRouteAuthorizer,
  ): HttpRoute {
    const integration = new HttpLambdaIntegration(name, lambda.callable);
    const routeKey = HttpRouteKey.with(path, HttpMethod[method]);
    return new HttpRoute(Stack.of(lambda), `${method}${path}`, {
      ...{ httpApi: this.#api, routeKey, integration, authorizer },
    });
  }
}

/**
 * The key of the cached answers. It contains the route, because a token may open only some routes. A call that bypasses CloudFront
 * lacks the last source: API Gateway answers 401 without a look into the cache.
 */
const identitySource = (isBehindEdge: boolean): string[] => [
  '$request.header.Authorization',
  '$context.routeKey',
  ...(isBehindEdge ? [`$request.header.${edgeHeader}`] : []),
];

const authorizerCache = Duration.minutes(5);

const tokenAuthorizer = (id: string, authorize: ServiceFunction, identitySource: string[]) =>
  new HttpLambdaAuthorizer(id, authorize.callable, {
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    identitySource,
    resultsCacheTtl: authorizerCache,
  });

const cors = (origins: string[]) => ({
  allowOrigins: origins,
  allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST, CorsHttpMethod.DELETE],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['retry-after'],
  maxAge: Duration.hours(1),
});

const acknowledgeNoAuthorizer = (construct: Construct, { lambda, caller }: RouteDefinition) =>
  Validations.of(construct).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: reasonsWithoutAuthorizer(lambda)[caller],
  });

const reasonsWithoutAuthorizer = (lambda: string): Record<RouteDefinition['caller'], string> => ({
  website: 'Websites have a token, which the authorizer checks.',
  staff: 'Members of staff have a token, which the authorizer checks.',
  device: `A device signs each call, and ${lambda} checks the signature. There is no token to authorize.`,
  client: `${lambda} authenticates the OAuth client by its secret or its signed assertion. There is no token to authorize.`,
  anyone: `${lambda} answers the same public document to everyone.`,
});
