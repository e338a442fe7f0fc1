export { createRoutes } from './create-routes.ts';
export { Denied, type DeniedOptions } from './denied.ts';
export { memoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { Consumed, Routes, RoutesOptions } from './options.ts';
export type { Question } from './question.ts';
export { requestOriginOf } from './request-origin.ts';
export type { Session } from './session.ts';
export type { Announcements, Store } from './store.ts';
export { type NodeRequest, type NodeResponse, sendResponse, toNodeHandler, toRequest } from './node.ts';
