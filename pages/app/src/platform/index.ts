export { createPlatform } from './create-platform.ts';
export type * from './platform.ts';
export { StorageError } from './storage/database.ts';
