import { longestWaitMs } from '../waiting.ts';

/** @throws if it takes longer than tests wait: the error says what did */
export async function within<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: not within ${longestWaitMs} ms`)), longestWaitMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
