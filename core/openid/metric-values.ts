import type { OAuthErrorCode } from './oauth-error.ts';

/** How the client learns of the user's answer. */
export const deliveryModes = ['poll', 'ping'] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** Errors that tell an operator of clients that are attacked, broken or too fast. The others are only in the log. */
export const countedErrors: readonly OAuthErrorCode[] = [
  'invalid_client',
  'invalid_grant',
  'slow_down',
  'temporarily_unavailable',
];
