/** The exporter ends in the middle of its work, or its success is not heard of: events come again, in order. */
import { describe } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import { repeatedBatch } from './export-faults/repeated-batch.ts';
import { useScene } from './export-faults/scene.ts';

describe('a batch that comes again', () => repeatedBatch(useScene(useStack())));
