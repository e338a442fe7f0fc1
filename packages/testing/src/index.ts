/** OMI in the process of a website's tests. */
export type { AskedQuestion } from './questions.ts';
export type { Fault } from './faults.ts';
export type { Intent } from './intent.ts';
export { type TestOmi, testOmi, type TestOmiOptions, type TestUser } from './test-omi.ts';
