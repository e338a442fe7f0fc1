/** Targets that somebody must correct: their events wait, and follow in order by themselves when it is done. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { brokenBuckets } from './export-faults/broken-buckets.ts';
import { brokenStreams } from './export-faults/broken-streams.ts';
import { mended } from './export-faults/mended.ts';
import { otherLanes } from './export-faults/other-lanes.ts';
import { useScene } from './export-faults/scene.ts';

const scene = useScene(useExclusiveStack());

describe('a stream that takes nothing', () => brokenStreams(scene));
describe('lanes of a stream', () => otherLanes(scene));
describe('a bucket', () => brokenBuckets(scene));
describe('whatever is mended', () => mended(scene));
