import { setTimeout as wait } from 'node:timers/promises';
import type { AwsResponse, Backend } from '../../../endpoint/http.ts';
import { parseObject } from '../../../protocols/json.ts';

/** What the emulator says when too many calls of a kind, or creations of streams, are under way at the same time. */
const atOnce =
  /^(?:(?:Rate limit|Limit) exceeded for \w+|Limit for streams being created concurrently exceeded)$/;

/** The emulator creates a stream in about this time. */
const pauseMs = 50;
const longestWaitMs = 30_000;

/**
 * A call that the emulator refuses because others are under way waits for them. On AWS each account has these limits for itself; those of
 * the emulator count for all accounts together, so one would feel the calls of another.
 *
 * Remove when kinesis-local counts the calls and the new streams of each account.
 */
export function withSharedLimits(backend: Backend): Backend {
  return async (request) => {
    const deadline = Date.now() + longestWaitMs;
    for (;;) {
      const response = await backend(request);
      if (!isRefusedForOthers(response) || Date.now() > deadline) return response;
      await wait(pauseMs);
    }
  };
}

function isRefusedForOthers({ status, body }: AwsResponse): boolean {
  if (status !== 400) return false;
  const { message } = parseObject(body);
  return typeof message === 'string' && atOnce.test(message);
}
