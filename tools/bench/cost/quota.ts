import type { Demand } from './load.ts';

export type Load = { confirmationsPerSecond: number; tenants: number };

export type Quota = {
  name: string;
  limit: number;
  unit: string;
  source: string;
  /** A quota that is not verified is printed with `?`. */
  verified: boolean;
  /** What to do before the quota is reached. */
  remedy: string;
  needed: (load: Load, demand: Demand) => number;
};

export const guide = (path: string): string => `https://docs.aws.amazon.com/${path}`;
export const dynamoGuide = guide('amazondynamodb/latest/developerguide/ServiceQuotas.html');

/** Write units per second of a partition of a table or an index. */
export const partitionWrites = 1_000;
/** Write units per second of a new on-demand table. DynamoDB doubles them within half an hour as the load grows. */
export const newTableWrites = 4_000;

/** The rate per second of something that each confirmation needs this often. */
export const rate = ({ confirmationsPerSecond }: Load, each: number): number => confirmationsPerSecond * each;
