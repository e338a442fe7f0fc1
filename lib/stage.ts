import type { App } from 'aws-cdk-lib';
import type { StageConfig } from './config.ts';
import { EdgeStack } from './edge-stack.ts';
import type { LambdaCode } from './lambda-code.ts';
import { ServiceStack } from './service-stack.ts';

/** Adds the stacks of a stage: the service and, with CloudFront in front of the API, the web ACL in CloudFront's region. */
export function addStage(app: App, config: StageConfig, code: LambdaCode): ServiceStack {
  const name = `omi-${config.stage}`;
  const edge = config.api.edge && new EdgeStack(app, `${name}-edge`, config.api.edge);
  const service = new ServiceStack(app, name, { config, code, webAclArn: edge?.webAclArn });
  if (edge) service.addStackDependency(edge, 'it uses the web ACL');
  return service;
}
