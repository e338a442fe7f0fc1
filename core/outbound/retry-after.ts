/** Milliseconds that `Retry-After` demands (RFC 9110, section 10.2.3): seconds or a date. Anything else counts as nothing. */
export function pauseOf(retryAfter = '', now = Date.now()): number {
  const milliseconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Math.max(0, milliseconds || 0);
}
