/** What `@omi/cdk` exports. `build.ts` bundles it. */
export { givenStage, OmiStage, type OmiStageProps } from '../../../lib/omi-stage.ts';
export type { StageName, StageSettings } from '../../../lib/config.ts';
