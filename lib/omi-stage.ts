import type { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { checkSettings, settingsOf, stageNamed, type StageName, type StageSettings } from './config.ts';
import { setFeatureFlags } from './feature-flags.ts';
import { bundledCode, needsCode, placeholderCode } from './lambda-code.ts';
import { addStage } from './stage.ts';

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

/** Values of `-c` are text. */
const demoValues: Record<string, unknown> = { true: true, false: false };

/** The values with that of `-c demo=…`. */
function withDemo(values: unknown, given: unknown): unknown {
  if (given === undefined || typeof values !== 'object') return values;
  return { ...values, demo: typeof given === 'string' ? (demoValues[given] ?? given) : given };
}

/**
 * The stage that `-c stage=…` names (default: dev), with its settings: those of `cdk.json`, under `context.stages`. `OmiStage`
 * checks them.
 *
 * @throws {Error} if there is no such stage, or no settings of it
 */
export function givenStage({ node }: Construct): { stage: StageName; settings: StageSettings } {
  const stage = stageNamed(node.tryGetContext('stage') ?? 'dev');
  const values = settingsOf(node.tryGetContext('stages'), stage);
  return { stage, settings: withDemo(values, node.tryGetContext('demo')) as StageSettings };
}
