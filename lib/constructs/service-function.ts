import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  Effect,
  Grant,
  type IGrantable,
  type IPrincipal,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Function,
  type IFunction,
  LoggingFormat,
  RecursiveLoop,
  SystemLogLevel,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { lambdaRoleNameOf } from '../../core/export/kinds/policies/operator-roles.ts';
import { isTraced, type LambdaName, mayLoop, timeLimitOf } from '../../lambdas/registered.ts';
import type { Environment as DemoEnvironment } from '../../pages/bank/lambda/env.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { LambdaCode } from '../lambda-code.ts';

/** Namespace of the metrics that the service sends to CloudWatch. */
export const ownNamespace = 'omi';

/** Every Lambda, including the demo bank's and those that only a deployment runs. */
export type FunctionName =
  | LambdaName
  | 'push-application'
  | 'deploy-web-app'
  | 'deploy-exports-page'
  | 'deploy-console'
  | 'web-push-key'
  | 'publish-keys'
  | 'demo-site';

/** Values by condition key, by operator. */
type ConditionBlock = Record<string, Record<string, string>>;

export type LogSettings = { retention: RetentionDays; removalPolicy: RemovalPolicy };

export type ServiceFunctionProps<Name extends FunctionName> = {
  name: Name;
  stage: string;
  environment?: Record<string, string>;
  code: LambdaCode;
  logs: LogSettings;
  timeout?: Duration | undefined;
  /** The most calls at once. Default: as many as the account allows. */
  concurrency?: number;
  /** For a role that others name in their policies. */
  namedRole?: { removalPolicy?: RemovalPolicy };
};

/** A Lambda of this service: Node.js 24 on arm64, with its own log group and role. */
export class ServiceFunction<Name extends FunctionName = FunctionName>
  extends Construct
  implements IGrantable
{
  readonly name: Name;
  /** Each event that the Lambda records names it as the producer, so the name is short and never changes. */
  readonly functionName: string;
  readonly function: Function;
  readonly grantPrincipal: IPrincipal;
  readonly logGroup: LogGroup;
  #live: Alias | undefined;

  constructor(scope: Construct, props: ServiceFunctionProps<Name>) {
    const { name, stage, environment, code, logs, concurrency } = props;
    const timeout = props.timeout ?? Duration.seconds(timeLimitOf(name) ?? 10);
    super(scope, name);
    this.name = name;
    this.functionName = `omi-${stage}-${name}`;
    const logGroup = new LogGroup(this, 'Logs', logs);
    this.logGroup = logGroup;
    // CDK's default role has a managed policy that may write to every log group of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // A text in a stage that names its region: CloudFormation adopts no resource whose name it must compute.
      ...(props.namedRole && { roleName: lambdaRoleNameOf({ stage, region: Stack.of(this).region }, name) }),
    });
    const { removalPolicy } = props.namedRole ?? {};
    if (removalPolicy !== undefined) role.applyRemovalPolicy(removalPolicy);
    logGroup.grantWrite(role);
    this.grantPrincipal = role.grantPrincipal;
    this.function = new Function(this, 'Function', {
      functionName: this.functionName,
      description: `OMI: ${name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: code(name),
      // CPU grows with memory. Less would save little and slow down cold starts and signatures.
      memorySize: 1024,
      timeout,
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda's start and report lines would cost more than the service's own. Metrics and traces have the same data.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: isTraced(name) ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { ...observability, OMI_STAGE: stage, ...environment },
      // Lambda stops any other function that calls itself in a loop.
      ...(mayLoop(name) && { recursiveLoop: RecursiveLoop.ALLOW }),
      // A deployment that fails rolls back to the previous version.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    if (!isTraced(name)) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources that a policy could name. The two actions only send trace data.',
    });
  }

  /**
   * The alias that all callers use. A deployment or rollback moves it to another version. A Lambda that only a deployment
   * calls has none.
   */
  get live(): Alias {
    return (this.#live ??= this.function.addAlias(liveAlias));
  }

  /** {@link live} as the interface that CDK's constructs expect; the two types differ in optional members. */
  get callable(): IFunction {
    return this.live as IFunction;
  }

  /** Dimensions of CloudWatch's metrics for calls of the alias. */
  get liveDimensions(): { FunctionName: string; Resource: string } {
    const { functionName } = this;
    return { FunctionName: functionName, Resource: `${functionName}:${liveAlias}` };
  }

  /** Number of the version to which the alias points after the deployment. */
  get newVersion(): string {
    return this.function.currentVersion.version;
  }

  /** Called by the owner of a resource to let the Lambda use it. */
  allow(actions: readonly string[], resourceArns: string[], conditions?: ConditionBlock): Grant {
    return Grant.addToPrincipal({
      grantee: this,
      actions: [...actions],
      resourceArns,
      ...(conditions && { conditions }),
    });
  }

  /** Whatever allows it: the Lambda's policies, or those of a resource. */
  deny(action: string, exceptArns: string[], conditions: ConditionBlock): void {
    this.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: [action],
        notResources: exceptArns,
        conditions,
      }),
    );
  }

  /** Called by the owner of a resource to name it in the Lambda's environment. */
  setVariable(name: keyof DemoEnvironment | `EDGE_${string}`, value: string): void {
    this.function.addEnvironment(name, value);
  }
}

const liveAlias = 'live';

/** Libraries read most of these variables. Each event of a Lambda contains the version. */
const observability = {
  OMI_VERSION: manifest.version,
  POWERTOOLS_SERVICE_NAME: 'omi',
  POWERTOOLS_METRICS_NAMESPACE: ownNamespace,
  POWERTOOLS_LOG_LEVEL: 'INFO',
};
