import { cloudDeployment } from './cloud-client.ts';
import type { Deployment } from './deployment.ts';
import { localDeployment } from './local-client.ts';

/** Which deployment is meant. */
export type Place = { stage: string; region?: string; local?: true };

/** @throws {CommandError} where there is none */
export const openDeployment = async (
  { stage, region, local }: Place,
  environment: NodeJS.ProcessEnv,
): Promise<Deployment> =>
  local ? await localDeployment(environment) : await cloudDeployment(stage, region, environment);
