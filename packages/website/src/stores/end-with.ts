/** Does it when the signal aborts, or now if it has. */
export function endWith(signal: AbortSignal, end: () => void): void {
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}
