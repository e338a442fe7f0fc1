import { relative } from 'node:path';

type Results = { wasInterrupted: boolean; testResults: { name: string; status: string }[] };

/** The paths of the suites that failed, of jest's results as JSON; none of an interrupted run, which says nothing of the rest. */
export function failedSuites(json: string): string[] {
  const { wasInterrupted, testResults } = JSON.parse(json) as Results;
  if (wasInterrupted) return [];
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name));
}
