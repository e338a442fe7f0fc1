/**
 * The templates that tenants deploy, as a CDK app of its own: `npx cdk synth --app 'node bin/tenant.ts'` checks them.
 * Tenants need neither it nor the CDK: `docs/templates/` has what it makes.
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { tenantStacks } from '../lib/tenant-stacks.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
tenantStacks(app);
