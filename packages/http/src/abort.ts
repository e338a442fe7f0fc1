/** A promise that rejects with the signal's reason when the signal aborts, and the end of its listener. */
function rejection(signal: AbortSignal): { aborted: Promise<never>; end: () => void } {
  let end = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const listener = (): void => {
      // The reason is the caller's own, of any type.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason);
    };
    signal.addEventListener('abort', listener);
    end = () => {
      signal.removeEventListener('abort', listener);
    };
    if (signal.aborted) listener();
  });
  return { aborted, end };
}

/** The result of the work, unless the signal aborts first: then rejects with its reason. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  const { aborted, end } = rejection(signal);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    end();
  }
}

/** @throws the signal's reason if it aborts meanwhile */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))), signal);
  } finally {
    clearTimeout(timer);
  }
}
