import { NodeHttpHandler } from '@smithy/node-http-handler';
import { targetsAtOnce } from './concurrency.ts';

/**
 * HTTP/1.1 from one pool for all targets of a kind. HTTP/2, which Kinesis's client would use, would keep one session for each
 * tenant, and stand-ins rarely support it.
 */
export const newConnections = (): NodeHttpHandler =>
  new NodeHttpHandler({
    connectionTimeout: 1_000,
    // As long as a redelivery waits, so that slow answers still arrive.
    requestTimeout: 10_000,
    throwOnRequestTimeout: true,
    // The SDK's 50 connections would be a queue in front of all targets of a region.
    httpAgent: { maxSockets: targetsAtOnce },
    httpsAgent: { maxSockets: targetsAtOnce },
  });
