/**
 * The CDK app with the stacks of one stage. Run `npx cdk bootstrap` once for each account and region, then
 * `npx cdk deploy --all -c stage=production` (default: dev).
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { buildCode } from '../lib/build-code.ts';
import { checkSettings } from '../lib/config.ts';
import { codeFolder, needsCode } from '../lib/lambda-code.ts';
import { givenStage, OmiStage } from '../lib/omi-stage.ts';

const app = new App();
const { stage, settings } = givenStage(app);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
if (needsCode(app)) await buildCode(codeFolder, checkSettings(stage, settings));
new OmiStage(app, `omi-${stage}`, { config: settings });
