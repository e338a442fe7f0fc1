import type { Deployment } from '../deployment/deployment.ts';

/** What was looked at, and how it is. */
export type Finding = {
  subject: string;
  ok: boolean;
  detail: string;
  /** What to do. */
  fix?: string;
};

/** One thing to look at; it has no findings where a deployment has nothing of the kind. */
export type Check = { name: string; look: (deployment: Deployment) => Promise<Finding[]> };
