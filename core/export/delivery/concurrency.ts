/**
 * How many targets the exporter serves at once. A batch of the stream may have events of several hundred tenants, and the
 * last of them should not wait for the calls of the first. The writers have as many connections.
 */
export const targetsAtOnce = 256;

/**
 * How many targets at once get their first call by a new Lambda. It opens sessions and connections, for which all share one
 * processor: with more at once, every target would seem slow.
 */
export const firstCallsAtOnce = 16;
