/**
 * How long tests wait before they take something for hung. A limit says nothing about how long anything may take: each is many
 * times what an idle machine needs, and twice that where `CI` is set, as such machines do other work, too.
 */
import { setTimeout as wait } from 'node:timers/promises';

const factor = process.env['CI'] === undefined ? 1 : 2;

/** What a test waits for: it gives up before its own limit, and so says what did not come. */
export const longestWaitMs = factor * 120_000;
/** A test or a hook, if it names no limit of its own. */
export const longestTestMs = factor * 300_000;
/** A test that builds, packs or compiles, or plays the suite of another program. */
export const longestProgramMs = factor * 900_000;

const shortestPauseMs = 20;
const longestPauseMs = 400;

type What = string | (() => string);

/**
 * Asks again and again until there is an answer. Each pause is longer than the one before: what comes soon is seen soon, and
 * what takes its time is not kept from coming by those who ask. A look takes calls of several services, and with them the time
 * of other suites.
 *
 * @param what never came, for the fault; or a function that also says what was there in its place
 */
export async function eventually<Result>(
  what: What,
  ask: () => Result | undefined | Promise<Result | undefined>,
): Promise<Result> {
  const end = Date.now() + longestWaitMs;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(1.5 * pauseMs, longestPauseMs)) {
    const result = await ask();
    if (result !== undefined) return result;
    if (Date.now() > end)
      throw new Error(`Not within ${longestWaitMs / 1_000} s: ${typeof what === 'string' ? what : what()}`);
    await wait(pauseMs);
  }
}

/** Until it is so. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: What = 'what the test waits for',
): Promise<void> {
  await eventually(what, async () => (await isSo()) || undefined);
}
