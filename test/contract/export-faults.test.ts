/** Targets that take events badly for a while: nothing is lost, order stays, and nobody else notices. */
import { describe } from '@jest/globals';
import { useStack } from '../support/stack.ts';
import { falteringBuckets } from './export-faults/faltering-buckets.ts';
import { falteringStreams } from './export-faults/faltering-streams.ts';
import { oddItems } from './export-faults/odd-items.ts';
import { replays, useHistory } from './export-faults/replays.ts';
import { useScene } from './export-faults/scene.ts';
import { staleSessions } from './export-faults/stale-sessions.ts';

const scene = useScene(useStack());
const history = useHistory(scene);

describe('a stream that falters', () => falteringStreams(scene));
describe('a delivery stream that falters', () => falteringBuckets(scene));
describe('sessions of a role', () => staleSessions(scene));
describe('items of the events table that are odd', () => oddItems(scene));
describe('a replay', () => replays(scene, history));
