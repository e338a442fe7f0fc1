/** Logs how long the work took. */
export async function timed<Result>(
  log: (line: string) => void,
  what: string,
  work: Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const result = await work;
  log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
}
