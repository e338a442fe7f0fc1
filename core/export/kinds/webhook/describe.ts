import type { WebhookDestination } from './record.ts';

export const describeWebhook = ({ url, lanes }: WebhookDestination) => ({ webhook: url, lanes });
