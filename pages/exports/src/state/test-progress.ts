import type { Export, LastTest } from '../api/shapes.ts';

const unfinished: readonly LastTest['outcome'][] = ['waiting', 'running'];

/** True while the outcome of a test is to come. */
export const isUnderTest = ({ lastTest }: Pick<Export, 'lastTest'>): boolean =>
  lastTest !== null && unfinished.includes(lastTest.outcome);
