/** In place of the SDK's HTTP/2 handler, the default of the Kinesis client: ours is given its handler. */
export const NodeHttp2Handler = {
  create<Handler>(given: Handler): Handler {
    if (typeof given === 'object' && given !== null && 'handle' in given) return given;
    throw new Error('HTTP/2 is not part of this bundle (bundling/replacements/no-http2.ts).');
  },
};
