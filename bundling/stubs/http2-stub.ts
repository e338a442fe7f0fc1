/** Replaces the SDK's HTTP/2 handler, the default of the Kinesis client. This service passes its own HTTP/1.1 handler. */
export const NodeHttp2Handler = {
  create<Handler>(given: Handler): Handler {
    if (typeof given === 'object' && given !== null && 'handle' in given) return given;
    throw new Error('The bundle has no HTTP/2 handler (bundling/stubs/http2-stub.ts).');
  },
};
