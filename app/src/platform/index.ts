export type * from './platform.ts';
