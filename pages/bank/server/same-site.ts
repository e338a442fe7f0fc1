import { Problem } from './problem.ts';

const safeMethods = ['GET', 'HEAD'];

/**
 * Refuses a request that changes something and does not come from a page of the bank. The cookie alone would not prove it: a form
 * of another site on the same host may send it.
 *
 * @throws {Problem}
 */
export function checkSameSite(request: Request, origin: string): void {
  if (safeMethods.includes(request.method)) return;
  const site = request.headers.get('sec-fetch-site');
  const from = request.headers.get('origin');
  // Browsers send at least one of the two with every POST. A program that sends neither has no cookie of a user.
  if (site === null && (from === null || from === origin)) return;
  // A page with the policy `no-referrer` sends the origin `null`.
  if (site === 'same-origin' && [null, 'null', origin].includes(from)) return;
  throw new Problem('The request does not come from a page of the bank.', { code: 'cross-site-request' });
}
