/** What the log says of a push that failed: never a message, which may quote the endpoint. */
export type PushFault = {
  name: string;
  code?: string;
  /** The push service's own word, such as Apple's `BadJwtToken`. */
  reason?: string;
};

export function faultOf(error: unknown): PushFault {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code } = error as NodeJS.ErrnoException;
  return { name, ...(code !== undefined && { code }) };
}
