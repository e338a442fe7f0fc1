import type { Model } from './models.ts';
import { verify, type Verdict } from './verify.ts';

/** `isRight` is false if the model has an error, the search was not complete, or a fault was not found. */
export type Row = { model: string; fault: string | undefined; isRight: boolean } & Verdict;

/** Checks the models one after the other, each as it is and then with each of its faults. */
export async function check(models: readonly Model[], log: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const model of models)
    for (const fault of [undefined, ...model.faults]) {
      const verdict = await verify(model, fault);
      const row = { model: model.name, fault, ...verdict, isRight: isRight(verdict, fault) };
      log(`${model.name}${fault === undefined ? '' : ` with ${fault}`}: ${describe(row)}`);
      rows.push(row);
    }
  return rows;
}

const isRight = ({ error, isComplete }: Verdict, fault: string | undefined): boolean =>
  fault === undefined ? error === undefined && isComplete : error !== undefined;

/** What became of one search, in words. */
export function describe({ error, fault, isComplete, states, seconds }: Row): string {
  const asItIs = error ?? (isComplete ? 'no error' : 'not searched completely');
  const withFault = error === undefined ? 'NOT found' : 'found';
  const verdict = fault === undefined ? asItIs : withFault;
  return `${verdict}, ${states.toLocaleString('en')} states, ${seconds.toFixed(1)} s`;
}

/** A line for each model: the states and seconds of its complete search, and how many of its faults were found. */
export function table(rows: readonly Row[]): string {
  const lines = [...Map.groupBy(rows, ({ model }) => model)].map(([model, its]) => {
    const clean = its.find(({ fault }) => fault === undefined);
    const faults = its.filter(({ fault }) => fault !== undefined);
    const found = faults.filter(({ isRight }) => isRight).length;
    const verdict = clean?.isRight ? 'yes' : 'NO';
    const states = (clean?.states ?? 0).toLocaleString('en');
    return `| ${model} | ${states} | ${(clean?.seconds ?? 0).toFixed(1)} | ${verdict} | ${found} of ${faults.length} |`;
  });
  return [
    '| model | states | seconds | clean | faults found |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
