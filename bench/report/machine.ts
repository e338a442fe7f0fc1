import { arch, availableParallelism, cpus, totalmem } from 'node:os';

/** Where a benchmark ran, in a line. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, ${arch()}, Node.js ${process.version}`;
}
