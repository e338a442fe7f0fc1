/** Kilobytes of a bundle: it takes about 1 ms to load 10 of them. */
const api = { base: 220, withSnsOrSignatures: 255 };

/**
 * Of a Lambda that a stream, a queue or an operator sets off: a cold start delays an event by a few milliseconds and keeps
 * nobody waiting, and it stays warm while there is anything to do. It pays for the AWS clients that it has, of which each
 * brings some 20 KB of its own: those of the exporter are five. That of S3 is large: it comes whole, with a schema for each of
 * its hundred operations.
 */
const background = { base: 190, perClient: 24, s3: 120 };

/**
 * The most bytes that a Lambda's bundle may have.
 *
 * @param modules paths of what went into it
 * @param isApi whether a user waits for its cold start
 */
export function budgetOf(modules: readonly string[], isApi: boolean): number {
  const has = (part: string): boolean => modules.some((path) => path.includes(part));
  if (isApi) {
    const isLarger = ['/@aws-sdk/client-sns/', '/jose/', '/aws-jwt-verify/'].some(has);
    return (isLarger ? api.withSnsOrSignatures : api.base) * 1_000;
  }
  const clients = new Set(modules.flatMap((path) => /@aws-sdk\/client-[^/]+/.exec(path) ?? []));
  const s3 = has('/@aws-sdk/client-s3/') ? background.s3 : 0;
  return (background.base + background.perClient * clients.size + s3) * 1_000;
}
