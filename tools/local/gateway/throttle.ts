/** The throttle of a route: requests per second, and the largest burst. */
export type ThrottleSettings = { rate: number; burst: number };

/** True if one more request may pass now, which it counts. */
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
