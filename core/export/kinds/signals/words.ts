import type { TargetWords } from '../target-words.ts';

export const signalsWords: TargetWords = {
  title: 'Stream of signals',
  name: 'streamId',
  parts: { streamId: 'Stream', url: 'URL' },
  isOrdered: true,
};
