import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** The header by which CloudFront shows that a call came through it. CloudFront replaces what a caller sends under this name. */
export const edgeHeader = 'x-omi-edge';

/** How an API behind CloudFront knows its calls. */
export type Edge = {
  secret: string;
  /** Calls that did not come through CloudFront are refused. */
  isRequired: boolean;
};

type Headers = Record<string, string | undefined>;

/** From a Lambda's environment; an API that has no CloudFront in front of it has none. */
export const edgeOf = ({ EDGE_SECRET: secret, EDGE_REQUIRED }: NodeJS.ProcessEnv): Edge | undefined =>
  secret === undefined ? undefined : { secret, isRequired: EDGE_REQUIRED === 'true' };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** In constant time, whatever the lengths. */
export const cameThroughEdge = ({ secret }: Edge, headers: Headers = {}): boolean =>
  timingSafeEqual(digest(secret), digest(headers[edgeHeader] ?? ''));

/**
 * The caller's address without its port, as CloudFront writes it. Only a call that {@link cameThroughEdge} may be believed:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html.
 */
export function viewerAddress(headers: Headers): string | undefined {
  const address = (headers['cloudfront-viewer-address'] ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
