import type { QueueName } from '../../core/aws/queues.ts';
import type { KeyUse } from '../../core/keys/key-use.ts';
import type { TableName } from '../../core/aws/tables.ts';
import type { Clients } from './aws-clients.ts';

/** The queues of the service. The commands send to the last two. */
export type Queue = QueueName | 'replays' | 'verifications';

/** The demo bank beside a deployment. */
export type Demo = {
  url: string;
  /** The secret of Secrets Manager from which it knows the service. Missing on the local stack. */
  secretArn?: string;
};

/** The vault in a second region with copies of the tables. */
export type CopiesPlace = {
  region: string;
  vault: string;
  /** Hours from one copy to the next. */
  everyHours: number;
};

/** A stage of another region, as the region with its copies knows it. */
export type CopiedStage = {
  /** The region of the stage. */
  of: string;
  vault: string;
  /** The role by which AWS Backup restores tables. */
  restoreRoleArn: string;
  /** The secret with the key of web pushes in the other region, which has a copy in this one. */
  webPushSecretArn: string;
  /** Ids of the replicas of keys, by the names of the keys. */
  keys: Record<string, string>;
  /** The tables in the other region. */
  tables: Record<TableName, string>;
  /** The tables of the stage in this region, if it is deployed here, too. */
  deployed: Record<TableName, string> | undefined;
};

/** One deployed service: its resources, and the clients to reach them. */
export type Deployment = {
  /** A name for people. */
  name: string;
  /** The options of a command line that select this deployment. */
  selector: string;
  stage: string;
  region: string;
  baseUrl: string;
  /** Those that devices may still name. */
  formerBaseUrls: readonly string[];
  /** The web app's address. Missing if the stage has none. */
  appUrl: string | undefined;
  /** The address of the tenants' exports page. Missing if the stage has none. */
  exportsUrl: string | undefined;
  /** The address of the help desk's page. Missing if the stage has none. */
  consoleUrl: string | undefined;
  /** The address that mails come from. Missing if the stage sends none. */
  mailFrom: string | undefined;
  clients: Clients;
  tables: Record<TableName, string>;
  /** @throws {CommandError} if the deployment has no such queue */
  queueUrl: (name: Queue) => Promise<string>;
  /**
   * The KMS key that encrypts secrets at rest.
   *
   * @throws {CommandError} if the deployment has no such key
   */
  secretsKeyId: () => string;
  /** The secret of Secrets Manager with the key of web pushes. @throws {CommandError} if the deployment has none */
  webPushSecretId: () => string;
  /** Names of the keys that sign now. @throws {CommandError} if the deployment does not tell them */
  signingKids: () => Promise<Record<KeyUse, string>>;
  /** The user pool that issues tokens. Missing if tokens come from the operator's own issuer. */
  userPoolId: string | undefined;
  tokenUrl: string | undefined;
  /** Prefix of scopes in a token request. */
  scopePrefix: string;
  /** The ids of CloudFormation's resources of a type. Empty for the local stack. */
  resources: (type: string) => Promise<string[]>;
  /** ARNs of the SNS platform applications, one for each configured push platform. */
  pushApplications: () => Promise<string[]>;
  /** Undefined if the stage has no demo bank. */
  demo: () => Promise<Demo | undefined>;
  /** Undefined if the stage has no copies in a second region. */
  copies: () => Promise<CopiesPlace | undefined>;
  /** True in an account of AWS, where SNS sends to real push providers and Lambda has limits; false for the local stack. */
  hasAccount: boolean;
};

/** The prefix of the names of a deployment's resources. */
export const prefixOf = ({ stage }: Pick<Deployment, 'stage'>): string => `omi-${stage}`;
