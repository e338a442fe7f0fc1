/** The height of a bar from 0 to 100. One event among a million is still seen. */
export const barHeight = (count: number, most: number): number =>
  count === 0 || most === 0 ? 0 : Math.max(1.5, (100 * count) / most);
