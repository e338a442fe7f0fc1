import type { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { DemoStack } from './demo-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import type { LambdaCode } from './lambda-code.ts';
import { addService } from './service.ts';

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
