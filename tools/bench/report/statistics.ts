const sorted = (values: readonly number[]): number[] => {
  if (values.length === 0) throw new RangeError('There are no values.');
  return values.toSorted((one, other) => one - other);
};

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const all = sorted(values);
  const [lower = Number.NaN, upper = Number.NaN] = [
    all[Math.floor((all.length - 1) / 2)],
    all[Math.floor(all.length / 2)],
  ];
  return (lower + upper) / 2;
}

/** The smallest value that at least this share of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const all = sorted(values);
  return all[Math.max(0, Math.ceil(share * all.length) - 1)] ?? Number.NaN;
}
