/** Reports faults to the program, or to the console. A report that fails changes no answer. */
export const reporter =
  <Details extends unknown[]>(onError: (error: unknown, ...details: Details) => void = toConsole) =>
  (error: unknown, ...details: Details): void => {
    try {
      onError(error, ...details);
    } catch {
      // There is nobody left to tell.
    }
  };

function toConsole(error: unknown, ...details: unknown[]): void {
  // Without it, a program that sets no `onError` would never learn why its events come again.
  // eslint-disable-next-line no-console
  console.error('@omi/consumer:', error, ...details);
}
