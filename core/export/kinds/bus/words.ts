import type { TargetWords } from '../target-words.ts';

export const busWords: TargetWords = {
  title: 'EventBridge event bus',
  name: 'busArn',
  parts: { busArn: 'Event bus', roleArn: 'Role', format: 'Format' },
  isOrdered: false,
};
