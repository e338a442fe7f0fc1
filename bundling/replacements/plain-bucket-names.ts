/**
 * In place of what the SDK does to the names of buckets before its endpoint rules see them. Those that a target may
 * have need none of it: they are no ARNs, have nothing to escape, and those with dots are asked for in path style by their client.
 */
export const resolveParamsForS3 = <Parameters>(parameters: Parameters): Parameters => parameters;
