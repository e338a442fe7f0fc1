/** Tells the benchmark where this server is, and ends with it. */
export function announce(url: string): void {
  console.log(`${url} ${process.pid}`);
  process.stdin.resume().on('end', () => process.exit(0));
}
