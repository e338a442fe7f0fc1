/** A route's throttle, as a stage of an HTTP API has it: steady requests a second, and how many may come at once. */
export type ThrottleSettings = { rate: number; burst: number };

/** Says whether one more request may pass now, and counts it if so. */
export type Throttle = () => boolean;

/** A token bucket. */
export function createThrottle({ rate, burst }: ThrottleSettings, now: () => number = Date.now): Throttle {
  let tokens = burst;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(burst, tokens + ((at - filledAt) / 1_000) * rate);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
