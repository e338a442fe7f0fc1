/**
 * The CDK app: one stack a stage. Once for each account and region: `npx cdk bootstrap`; then
 * `npx cdk deploy -c stage=production` (default: dev).
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readConfig } from '../lib/config.ts';
import { bundledCode } from '../lib/lambda-code.ts';
import { ServiceStack } from '../lib/service-stack.ts';

const app = new App();
const config = readConfig(app);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
new ServiceStack(app, `omi-${config.stage}`, { config, code: await bundledCode(app) });
