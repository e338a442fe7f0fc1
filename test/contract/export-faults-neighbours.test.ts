/** Calls to one tenant's target are not answered, and fifty others do not notice. */
import { useExclusiveStack } from '../support/use-stack.ts';
import { slowNeighbour } from './export-faults/slow-neighbour.ts';

slowNeighbour(useExclusiveStack());
