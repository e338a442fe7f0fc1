/**
 * The CDK app with the stacks of one stage. Run `npx cdk bootstrap` once for each account and region, then
 * `npx cdk deploy --all -c stage=production` (default: dev).
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readConfig } from '../lib/config.ts';
import { bundledCode } from '../lib/lambda-code.ts';
import { addStage } from '../lib/stage.ts';

const app = new App();
const config = readConfig(app);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
addStage(app, config, await bundledCode(app, config));
