import type { AwsRequest } from './http.ts';

/** Who polls streams and queues to have Lambdas called: nobody asked for these calls. */
export const POLLER = 'EVENTSOURCES';

/** A Lambda of ours that looks every few seconds, by itself, whether there is anything to do. */
const SWEEPER = 'LAMBDARELEASEENDPOINTS';

/** Whether a call comes again and again by itself; `any` also where a fault names its operation. */
export function isPoll(caller: string, operation: string): boolean | 'any' {
  return caller === POLLER || (caller === SWEEPER && (operation !== 'Query' || 'any'));
}

/** The access key that a request is signed with: every signature, in the header or in a presigned URL, names it. */
export function accessKeyOf({ headers, url }: Pick<AwsRequest, 'headers' | 'url'>): string {
  const presigned = url.includes('X-Amz-Credential') ? decodeURIComponent(url) : '';
  return /Credential=([^/,&\s]+)/.exec(headers.authorization ?? presigned)?.[1] ?? '';
}
