import type { TargetWords } from '../target-words.ts';

export const streamWords: TargetWords = {
  title: 'Kinesis data stream',
  name: 'streamArn',
  parts: { streamArn: 'Stream', roleArn: 'Role', lanes: 'Lanes' },
  isOrdered: true,
};
