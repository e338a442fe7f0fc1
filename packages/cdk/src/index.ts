/** What `@omi/cdk` exports. `build.ts` bundles it. */
export { OmiStage, type OmiStageProps, type Stages } from '../../../lib/omi-stage.ts';
export type { StageName, StageSettings } from '../../../lib/config.ts';
