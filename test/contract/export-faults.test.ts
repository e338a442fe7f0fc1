/** Targets that take events badly for a while: nothing is lost, order stays, and nobody else notices. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { degradedStreams } from './export-faults/degraded-streams.ts';
import { oddItems } from './export-faults/odd-items.ts';
import { useScene } from './export-faults/scene.ts';
import { staleSessions } from './export-faults/stale-sessions.ts';

const scene = useScene(useExclusiveStack());

describe('a degraded stream target', () => degradedStreams(scene));
describe('expired role sessions', () => staleSessions(scene));
describe('malformed items of the events table', () => oddItems(scene));
