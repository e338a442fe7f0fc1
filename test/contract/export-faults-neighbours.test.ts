/** One tenant's target takes two seconds for a call, and fifty others do not notice. */
import { useExclusiveStack } from '../support/use-stack.ts';
import { slowNeighbour } from './export-faults/slow-neighbour.ts';

slowNeighbour(useExclusiveStack());
