import { OmiError } from './omi-error.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/;

/** A URL that secrets may be sent to: without TLS only on the own machine. No slash at its end. */
export function safeUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (isSafe) return text.replace(/\/+$/, '');
  throw new OmiError('invalid-options', { detail: `${name} is not a URL with https.` });
}
