import { readFileSync } from 'node:fs';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable, type IPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
import type { Environments } from '../../lambdas/environments.ts';
import { mayLoop } from '../../lambdas/event-sources.ts';
import { untraced } from '../../lambdas/tracing.ts';
import type { LambdaCode } from '../lambda-code.ts';

/** Of the metrics that the service itself sends to CloudWatch. */
export const ownNamespace = 'omi';

/** The Lambdas of the API by the environment each needs, and those that only the deployment runs. */
type AllEnvironments = Environments & { 'push-application': object };
export type FunctionName = keyof AllEnvironments;

/** Set by the owner of the resource that they name, together with the permission to use it. */
type OwnersVariable =
  `${string}_TABLE` | `${string}_APPLICATION_ARN` | `${string}_QUEUE_URL` | `EDGE_${string}`;
type WithoutOwners<Environment> = Environment extends unknown ? Omit<Environment, OwnersVariable> : never;

/** What is left of a Lambda's environment for the stack to give. */
export type OwnEnvironment<Name extends FunctionName> = WithoutOwners<AllEnvironments[Name]>;

/** Values by condition key, by operator. */
type ConditionBlock = Record<string, Record<string, string>>;

export type LogSettings = { retention: RetentionDays; removalPolicy: RemovalPolicy };

export type ServiceFunctionProps<Name extends FunctionName> = {
  name: Name;
  stage: string;
  environment: OwnEnvironment<Name>;
  code: LambdaCode;
  logs: LogSettings;
  timeout?: Duration | undefined;
  /** For a role that others name in their policies; it outlives the stack where data does. */
  role?: { name: string; removalPolicy: RemovalPolicy };
};

/** A Lambda as this service runs it: Node.js 24 on arm64, a log group and a role of its own. */
export class ServiceFunction<Name extends FunctionName = FunctionName>
  extends Construct
  implements IGrantable
{
  readonly name: Name;
  readonly function: Function;
  readonly grantPrincipal: IPrincipal;
  readonly logGroup: LogGroup;
  #live: Alias | undefined;

  constructor(scope: Construct, props: ServiceFunctionProps<Name>) {
    const { name, stage, environment, code, logs, timeout } = props;
    const isTraced = name === 'push-application' || !untraced.has(name);
    super(scope, name);
    this.name = name;
    const logGroup = new LogGroup(this, 'Logs', logs);
    this.logGroup = logGroup;
    // The managed policy that CDK attaches otherwise may write to every log group of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      ...(props.role && { roleName: props.role.name }),
    });
    if (props.role) role.applyRemovalPolicy(props.role.removalPolicy);
    logGroup.grantWrite(role);
    this.grantPrincipal = role.grantPrincipal;
    this.function = new Function(this, 'Function', {
      // It is in every event that the Lambda records, as its producer: short, and the same after each deployment.
      functionName: `omi-${stage}-${name}`,
      description: `OMI: ${name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: code(name),
      // CPU comes with memory: less makes cold starts and signatures slower than it saves.
      memorySize: 1024,
      timeout: timeout ?? Duration.seconds(10),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda's own start and report lines cost more than all that ours say; metrics and traces have the same.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { ...observability, OMI_STAGE: stage, ...definedOnly(environment) },
      // Any other function that calls itself without end is stopped.
      ...(mayLoop(name) && { recursiveLoop: RecursiveLoop.ALLOW }),
      // The one before is what a deployment that fails goes back to.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    if (!isTraced) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources that a policy could name; the two actions only send trace data.',
    });
  }

  /**
   * What everything that calls the Lambda at run time names: a new version goes live by moving it, and back by the same
   * way. What only the deployment calls has none.
   */
  get live(): Alias {
    return (this.#live ??= this.function.addAlias('live'));
  }

  /** {@link live} for those who only call it: CDK's own classes and interfaces differ in what they call optional. */
  get callable(): IFunction {
    return this.live as IFunction;
  }

  /** Of CloudWatch's metrics for the calls of the alias. */
  get liveDimensions(): { FunctionName: string; Resource: string } {
    const { functionName } = this.function;
    return { FunctionName: functionName, Resource: `${functionName}:${this.live.aliasName}` };
  }

  /** Number of the version that the alias points to when the deployment is done. */
  get newVersion(): string {
    return this.function.currentVersion.version;
  }

  /** For the owner of a resource: lets the Lambda use it. */
  allow(actions: readonly string[], resourceArns: string[], conditions?: ConditionBlock): Grant {
    return Grant.addToPrincipal({
      grantee: this,
      actions: [...actions],
      resourceArns,
      ...(conditions && { conditions }),
    });
  }

  /** For the owner of a resource: names it to the Lambda, beside granting it. */
  setVariable(name: OwnersVariable, value: string): void {
    this.function.addEnvironment(name, value);
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Read by the libraries, not by our code; the version is written into every event that a Lambda makes. */
const observability = {
  OMI_VERSION: version,
  POWERTOOLS_SERVICE_NAME: 'omi',
  POWERTOOLS_METRICS_NAMESPACE: ownNamespace,
  POWERTOOLS_LOG_LEVEL: 'INFO',
};

const definedOnly = (environment: object): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
