/** What an error of WebAuthn means. Browsers do not tell a refusal from a time-out, to protect the user's privacy. */
export function outcomeOf(error: unknown): { outcome: 'cancelled' | 'unavailable' } {
  const name = error instanceof DOMException ? error.name : '';
  return { outcome: name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'unavailable' };
}
