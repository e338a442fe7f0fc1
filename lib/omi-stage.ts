import { Stack, Annotations, CfnOutput, RemovalPolicy, type StackProps, Tags } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { checkSettings, stageNamed, type StageName, type StageSettings, type StageConfig } from './config.ts';
import { bundledCode, needsCode, placeholderCode, type LambdaCode } from './lambda-code.ts';
import { EdgeStack } from './edge-stack.ts';
import { addService } from './service.ts';
import settings from '../cdk.json' with { type: 'json' };
import { DemoSite } from './constructs/demo-site.ts';

type DemoStackProps = StackProps & { config: StageConfig; code: LambdaCode };

const open = 'Everyone who knows its address can sign in as a demo user, without a password.';

/**
 * The demo bank of a stage. It knows the service only by the secret that `omi demo connect` writes, so the two stacks can be
 * deployed, changed and deleted in any order.
 */
class DemoStack extends Stack {
  constructor(scope: Construct, id: string, { config, code, ...props }: DemoStackProps) {
    super(scope, id, { stackName: id, ...props });
    const { stage, logRetentionDays } = config;
    const logs = { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY };
    const site = new DemoSite(this, 'Site', { stage, code, logs });
    new CfnOutput(this, 'DemoUrl', { value: site.url, description: `The demo bank. ${open}` });
    new CfnOutput(this, 'DemoSecret', {
      value: site.secretArn,
      description: 'The credentials of the demo bank, which "omi demo connect" writes',
    });
    Annotations.of(this).addWarningV2(
      'omi:demo',
      `${id} is a demo bank on the Internet. ${open} Its users exist only in a tenant of its own. "cdk destroy ${id}" removes it.`,
    );
    Tags.of(this).add('service', 'omi');
    Tags.of(this).add('stage', stage);
  }
}

const flags = Object.entries(settings.context).filter(([name]) => name.startsWith('@aws-cdk'));

/**
 * Sets the CDK's feature flags with which the service's templates are made and tested. An upgrade of the CDK or of an app's
 * `cdk.json` must not change what is deployed.
 *
 * @throws {Error} if the app has another value already, or has constructs before the stage
 */
function setFeatureFlags({ node: { root } }: Construct): void {
  for (const [name, value] of flags) {
    const set: unknown = root.node.tryGetContext(name);
    if (JSON.stringify(set) === JSON.stringify(value)) continue;
    if (set !== undefined)
      throw new Error(
        `The context of this app sets ${name} to ${JSON.stringify(set)}. OMI needs ${JSON.stringify(value)}: remove it from cdk.json.`,
      );
    if (root.node.children.length > 0)
      throw new Error(
        'Create OmiStage before the other constructs of the app: it sets feature flags of the CDK.',
      );
    root.node.setContext(name, value);
  }
}

/**
 * Adds the stacks of a stage: those of the service; with CloudFront in front of the API, the web ACL in CloudFront's region; and
 * the demo bank, if the stage has one. The service's stacks are the same with and without the demo bank.
 *
 * @returns the service's stacks, in the order in which they are deployed
 */
export function addStage(scope: Construct, config: StageConfig, code: LambdaCode): readonly Stack[] {
  const name = `omi-${config.stage}`;
  const edge = config.api.edge && new EdgeStack(scope, `${name}-edge`, config.api.edge, { env: config.env });
  const stacks = addService(scope, { config, code, webAclArn: edge?.webAclArn });
  if (edge) for (const stack of stacks.slice(1)) stack.addStackDependency(edge, 'it uses the web ACL');
  if (config.demo) new DemoStack(scope, `${name}-demo`, { config, code, env: config.env });
  return stacks;
}

/** The settings of the stages that an operator has, by their names. */
export type Stages = Partial<Record<StageName, StageSettings>>;

export type OmiStageProps = {
  /** The settings of the stage. All have defaults. */
  config: StageSettings;
};

/**
 * All stacks of one stage of OMI, with their code. The id is `omi-<stage>`: `omi-dev`, `omi-staging` or `omi-production`. The stacks
 * are in the app itself, beside this construct, so `cdk deploy` knows them by their names: `omi-dev-data`.
 *
 * Create it before other constructs of the app, because it sets the CDK's feature flags.
 *
 *     new OmiStage(new App(), 'omi-dev', { config: { appLink: 'https://app.example.com' } });
 */
export class OmiStage extends Construct {
  /** The service's stacks, in the order in which they are deployed. */
  readonly stacks: readonly Stack[];

  /** @throws {Error} that names each wrong setting */
  constructor(scope: Construct, id: string, { config }: OmiStageProps) {
    const stage = stageNamed(id.replace(/^omi-/, ''));
    setFeatureFlags(scope);
    super(scope, id);
    const checked = checkSettings(stage, config);
    this.stacks = addStage(scope, checked, needsCode(this) ? bundledCode(checked) : placeholderCode);
  }
}
