import { bucketWords } from './bucket/words.ts';
import { busWords } from './bus/words.ts';
import { signalsWords } from './signals/words.ts';
import { streamWords } from './stream/words.ts';
import type { TargetWords } from './target-words.ts';
import { webhookWords } from './webhook/words.ts';

/** By kind. It imports no record: those are not for browsers. */
export const words = {
  stream: streamWords,
  bucket: bucketWords,
  webhook: webhookWords,
  bus: busWords,
  signals: signalsWords,
} satisfies Record<string, TargetWords>;
