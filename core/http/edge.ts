import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** CloudFront adds this header with a secret. It replaces a header of this name that a caller sends. */
export const edgeHeader = 'x-omi-edge';

/** How an API recognises requests that came through CloudFront. */
export type Edge = {
  /** The present one, and those before and after it, so that CloudFront and each Lambda may change at different times. */
  secrets: readonly string[];
  /** Whether other requests are rejected. */
  isRequired: boolean;
};

type Headers = Record<string, string | undefined>;

/** From a Lambda's environment; undefined for an API without CloudFront. */
export const edgeOf = ({ EDGE_SECRETS: secrets, EDGE_REQUIRED }: NodeJS.ProcessEnv): Edge | undefined =>
  secrets === undefined
    ? undefined
    : { secrets: secrets.match(/\S+/g) ?? [], isRequired: EDGE_REQUIRED === 'true' };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Each comparison takes the same time for all lengths. */
export function cameThroughEdge({ secrets }: Edge, headers: Headers = {}): boolean {
  const sent = digest(headers[edgeHeader] ?? '');
  return secrets.some((secret) => timingSafeEqual(digest(secret), sent));
}

/**
 * The caller's address without its port, as CloudFront writes it. It can be trusted only if {@link cameThroughEdge}:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html.
 */
export function viewerAddress(headers: Headers): string | undefined {
  const address = (headers['cloudfront-viewer-address'] ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
