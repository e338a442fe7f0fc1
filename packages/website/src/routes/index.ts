export { memoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { Store } from './store.ts';
