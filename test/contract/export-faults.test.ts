/** Targets that take events badly for a while: nothing is lost, order stays, and nobody else notices. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { degradedBuckets } from './export-faults/degraded-buckets.ts';
import { degradedStreams } from './export-faults/degraded-streams.ts';
import { oddItems } from './export-faults/odd-items.ts';
import { repeatedBatch } from './export-faults/repeated-batch.ts';
import { replays, useHistory } from './export-faults/replays.ts';
import { useScene } from './export-faults/scene.ts';
import { staleSessions } from './export-faults/stale-sessions.ts';

const scene = useScene(useExclusiveStack());
const history = useHistory(scene);

describe('a degraded stream target', () => degradedStreams(scene));
describe('a degraded delivery stream', () => degradedBuckets(scene));
describe('expired role sessions', () => staleSessions(scene));
describe('malformed items of the events table', () => oddItems(scene));
describe('a repeated batch', () => repeatedBatch(scene));
describe('a replay', () => replays(scene, history));
