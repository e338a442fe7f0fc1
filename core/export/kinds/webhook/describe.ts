import type { WebhookDestination } from './record.ts';

export const describeWebhook = ({ url, lanes, format }: WebhookDestination) => ({
  webhook: url,
  lanes,
  format,
});
