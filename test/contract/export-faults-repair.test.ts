/** Targets that somebody must correct: their events wait, and follow in order by themselves when it is done. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { brokenBuckets } from './export-faults/broken-buckets.ts';
import { brokenStreams } from './export-faults/broken-streams.ts';
import { useScene } from './export-faults/scene.ts';

const scene = useScene(useExclusiveStack());

describe('a broken stream target', () => brokenStreams(scene));
describe('a broken bucket target', () => brokenBuckets(scene));
