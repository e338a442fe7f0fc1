import type { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { BackupsStack } from './backups-stack.ts';
import type { StageConfig } from './config.ts';
import { CopiesStack } from './copies-stack.ts';
import { DemoStack } from './demo-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import type { LambdaCode } from './lambda-code.ts';
import { addService } from './service.ts';

/**
 * Adds the stacks of a stage: those of the service; with CloudFront in front of the API, the web ACL in CloudFront's region; the
 * backups and their copies in a second region, and the demo bank, if the stage has them. The service's stacks are the same with
 * and without the demo bank.
 *
 * @returns the service's stacks, in the order in which they are deployed
 */
export function addStage(scope: Construct, config: StageConfig, code: LambdaCode): readonly Stack[] {
  const name = `omi-${config.stage}`;
  const edge = config.api.edge && new EdgeStack(scope, `${name}-edge`, config.api.edge, { env: config.env });
  const stacks = addService(scope, { config, code, webAclArn: edge?.webAclArn });
  if (edge) for (const stack of stacks.slice(1)) stack.addStackDependency(edge, 'it uses the web ACL');
  const { copies } = config.data;
  if (copies) {
    const [data] = stacks;
    const there = new CopiesStack(scope, `${name}-copies`, { config, copies });
    const here = new BackupsStack(scope, `${name}-backups`, { config, copies });
    if (data) there.addStackDependency(data, 'it has replicas of the keys');
    here.addStackDependency(there, 'it copies into the vault');
  }
  if (config.demo) new DemoStack(scope, `${name}-demo`, { config, code, env: config.env });
  return stacks;
}
