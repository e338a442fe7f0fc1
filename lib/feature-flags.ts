import type { Construct } from 'constructs';
import settings from '../cdk.json' with { type: 'json' };

const flags = Object.entries(settings.context).filter(([name]) => name.startsWith('@aws-cdk'));

/**
 * Sets the CDK's feature flags with which the service's templates are made and tested. An upgrade of the CDK or of an app's
 * `cdk.json` must not change what is deployed.
 *
 * @throws {Error} if the app has another value already, or has constructs before the stage
 */
export function setFeatureFlags({ node: { root } }: Construct): void {
  for (const [name, value] of flags) {
    const set: unknown = root.node.tryGetContext(name);
    if (JSON.stringify(set) === JSON.stringify(value)) continue;
    if (set !== undefined)
      throw new Error(
        `The context of this app sets ${name} to ${JSON.stringify(set)}. OMI needs ${JSON.stringify(value)}: remove it from cdk.json.`,
      );
    if (root.node.children.length > 0)
      throw new Error(
        'Create OmiStage before the other constructs of the app: it sets feature flags of the CDK.',
      );
    root.node.setContext(name, value);
  }
}
