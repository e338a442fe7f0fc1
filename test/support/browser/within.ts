/** As long as a busy machine may take for what a person sees at once. */
export const patienceMs = 30_000;

/** @throws if it takes longer than anybody waits: the error says what did */
export async function within<Value>(
  what: string,
  promise: Promise<Value>,
  milliseconds = patienceMs,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: not within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
