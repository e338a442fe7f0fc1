import { schedules } from '../../../../lambdas/event-sources.ts';
import { accessKeyIdOf } from '../../lambda/runtime-environment.ts';
import type { AwsRequest } from './http.ts';

/** The access key of the pollers of streams and queues. */
export const poller = 'EVENTSOURCES';

/** The access key of a Lambda that is called every few seconds by a schedule. */
const sweeper = accessKeyIdOf('release-endpoints');

const background = new Set([poller, ...schedules.map(({ lambda }) => accessKeyIdOf(lambda))]);

/** True for what calls whether anybody uses the stack or not. */
export const isBackground = (caller: string): boolean => background.has(caller);

/** True for calls that are repeated automatically; `any` if that holds even when a fault names their operation. */
export function isPoll(caller: string, operation: string): boolean | 'any' {
  return caller === poller || (caller === sweeper && (operation !== 'Query' || 'any'));
}

/** The access key of a request: from its signature in the header, or in a presigned URL. */
export function accessKeyOf({ headers, url }: Pick<AwsRequest, 'headers' | 'url'>): string {
  const presigned = url.includes('X-Amz-Credential') ? decodeURIComponent(url) : '';
  return /Credential=([^/,&\s]+)/.exec(headers.authorization ?? presigned)?.[1] ?? '';
}
