import type { AwsRequest } from './http.ts';

/** Who polls streams and queues to have Lambdas called: nobody asked for these calls. */
export const POLLER = 'EVENTSOURCES';

/** The access key that a request is signed with: every signature, in the header or in a presigned URL, names it. */
export function accessKeyOf({ headers, url }: Pick<AwsRequest, 'headers' | 'url'>): string {
  const presigned = url.includes('X-Amz-Credential') ? decodeURIComponent(url) : '';
  return /Credential=([^/,&\s]+)/.exec(headers.authorization ?? presigned)?.[1] ?? '';
}
