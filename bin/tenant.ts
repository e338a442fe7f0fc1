/**
 * A CDK app with the templates that tenants deploy. `npx cdk synth --app 'node bin/tenant.ts'` checks them. Tenants need
 * neither the app nor the CDK: `docs/templates/` contains the templates.
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { tenantStacks } from '../lib/tenant-stacks.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
tenantStacks(app);
