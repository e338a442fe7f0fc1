import type { Deployment } from '../deployment/deployment.ts';
import type { UndoList } from './undo-list.ts';

export type SmokeOptions = {
  timeout: number;
  tokenUrl?: string;
  tokenCommand?: string;
  clientId?: string;
  streamArn?: string;
  roleArn?: string;
  externalId?: string;
};

/** What all steps share. */
export type Scene = {
  deployment: Deployment;
  options: SmokeOptions;
  undo: UndoList;
  /** In the names of everything that this run creates. */
  runId: string;
  tenantId: string;
  userId: string;
};
