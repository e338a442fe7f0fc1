import type { StageConfig } from '../../lib/config.ts';
import type { Clients } from '../deployment/aws-clients.ts';

/** A stage that is to be deployed, and the account that would get it. */
export type Planned = {
  config: StageConfig;
  /** The account of the credentials. */
  account: string;
  region: string;
  /** @param region default: the stage's own */
  clients: (region?: string) => Clients;
  /** The host to which a name's DNS record leads as an alias; undefined if it has none. */
  aliasOf: (name: string) => Promise<string | undefined>;
};

/** CloudFront has its certificates, and the stage its web ACL, in this region alone. */
export const globalRegion = 'us-east-1';

/** Whether the stage makes distributions of CloudFront. */
export const usesCloudFront = ({ webApp, exportsPage, console: desk, api, demo }: StageConfig): boolean =>
  webApp.enabled || exportsPage.enabled || desk.enabled || api.edge !== undefined || demo;
