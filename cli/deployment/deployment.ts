import type { QueueName } from '../../core/aws/queues.ts';
import type { TableName } from '../../core/aws/tables.ts';
import type { Clients } from './aws-clients.ts';

/** What the commands send to; the others are told of when something is wrong. */
export type Queue = QueueName | 'replays' | 'verifications';

/** One deployed service: what there is, and how to reach it. */
export type Deployment = {
  /** For people. */
  name: string;
  stage: string;
  region: string;
  baseUrl: string;
  clients: Clients;
  tables: Record<TableName, string>;
  /** @throws {CommandError} where the deployment has no such queue */
  queueUrl: (name: Queue) => Promise<string>;
  /** Of the pool that issues tokens; an issuer of the operator's own has none here. */
  userPoolId: string | undefined;
  tokenUrl: string | undefined;
  /** Prefix of scopes in a token request. */
  scopePrefix: string;
  /** What CloudFormation made, by type; nothing where it did not make the deployment. */
  resources: (type: string) => Promise<string[]>;
  /** ARNs of the SNS platform applications that must be there, one for each push platform that is set up. */
  pushApplications: () => Promise<string[]>;
  /** True if SNS sends to real push providers and logs their refusals; false for the local stack. */
  hasPushProviders: boolean;
};

/** What the deployment's names begin with. */
export const prefixOf = ({ stage }: Pick<Deployment, 'stage'>): string => `omi-${stage}`;
