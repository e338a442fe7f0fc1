import { runInNewContext } from 'node:vm';

type Query = { Id: string; Expression?: string; ReturnData?: boolean };

/** Metrics by their ids; one that has no data at that time is left out. */
export type Data = Record<string, number | undefined>;

const functions = {
  IF: (condition: unknown, then: unknown, otherwise: unknown) => (condition ? then : otherwise),
  FILL: (value: unknown, filler: unknown) => value ?? filler,
};

/**
 * The metric math of CloudWatch that the alarms use, for one point in time.
 *
 * @returns the value of the alarm; undefined if a metric has no data
 */
export function evaluate(queries: readonly Query[], data: Data): number | undefined {
  const valueOf = (id: string): number | undefined => {
    const expression = queries.find((query) => query.Id === id)?.Expression;
    if (expression === undefined) return data[id];
    const names = [...expression.matchAll(/\b[a-z]\w*\b/g)].map(([name]) => name);
    const values = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    const result: unknown = runInNewContext(expression.replaceAll(' AND ', ' && '), {
      ...functions,
      ...values,
    });
    return typeof result === 'number' && !Number.isNaN(result) ? result : undefined;
  };
  const shown = queries.find(({ ReturnData }) => ReturnData !== false);
  return shown && valueOf(shown.Id);
}
