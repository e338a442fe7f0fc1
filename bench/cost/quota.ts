import type { Demand } from './load.ts';

export type Load = { confirmationsPerSecond: number; tenants: number };

export type Quota = {
  name: string;
  limit: number;
  unit: string;
  source: string;
  /** Where it is not, it is printed with `?`. */
  verified: boolean;
  /** What to do before it is reached. */
  remedy: string;
  needed: (load: Load, demand: Demand) => number;
};

export const guide = (path: string): string => `https://docs.aws.amazon.com/${path}`;
export const dynamoGuide = guide('amazondynamodb/latest/developerguide/ServiceQuotas.html');

/** Units a second that one partition of a table or an index writes. */
export const partitionWrites = 1_000;
/** What a table on demand takes at once when it is new; a growing load doubles it within half an hour. */
export const newTableWrites = 4_000;

/** So much of each confirmation, a second. */
export const rate = ({ confirmationsPerSecond }: Load, each: number): number => confirmationsPerSecond * each;
