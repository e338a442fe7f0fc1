import type { TargetWords } from '../target-words.ts';

export const webhookWords: TargetWords = {
  title: 'Webhook',
  name: 'url',
  parts: { url: 'URL', format: 'Format' },
  isOrdered: true,
};
