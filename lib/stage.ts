import type { App } from 'aws-cdk-lib';
import type { StageConfig } from './config.ts';
import { DemoStack } from './demo-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import type { LambdaCode } from './lambda-code.ts';
import { ServiceStack } from './service-stack.ts';

/**
 * Adds the stacks of a stage: the service; with CloudFront in front of the API, the web ACL in CloudFront's region; and the
 * demo bank, if the stage has one. The service's stack is the same with and without the demo bank.
 */
export function addStage(app: App, config: StageConfig, code: LambdaCode): ServiceStack {
  const name = `omi-${config.stage}`;
  const edge = config.api.edge && new EdgeStack(app, `${name}-edge`, config.api.edge);
  const service = new ServiceStack(app, name, { config, code, webAclArn: edge?.webAclArn });
  if (edge) service.addStackDependency(edge, 'it uses the web ACL');
  if (config.demo) new DemoStack(app, `${name}-demo`, { config, code });
  return service;
}
