import type { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { checkSettings, stageNamed, type StageName, type StageSettings } from './config.ts';
import { setFeatureFlags } from './feature-flags.ts';
import { bundledCode, needsCode, placeholderCode } from './lambda-code.ts';
import { addStage } from './stage.ts';

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
