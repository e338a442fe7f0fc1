import type { App } from 'aws-cdk-lib';
import type { StageConfig } from './config.ts';
import { EdgeStack } from './edge-stack.ts';
import type { LambdaCode } from './lambda-code.ts';
import { ServiceStack } from './service-stack.ts';

/** The stacks of a stage: the service, and what CloudFront needs in its own region where it is in front of the API. */
export function addStage(app: App, config: StageConfig, code: LambdaCode): ServiceStack {
  const name = `omi-${config.stage}`;
  const edge = config.api.edge && new EdgeStack(app, `${name}-edge`, config.api.edge);
  const service = new ServiceStack(app, name, { config, code, webAclArn: edge?.webAclArn });
  if (edge) service.addStackDependency(edge, 'names its web ACL');
  return service;
}
