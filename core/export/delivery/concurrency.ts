/**
 * How many targets the exporter serves at once. A batch of the stream may have events of several hundred tenants, and the
 * last of them should not wait for the calls of the first. The writers have as many connections.
 */
export const targetsAtOnce = 256;
