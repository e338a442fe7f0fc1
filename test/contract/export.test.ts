/** What tenants find in their own streams and buckets. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { forms } from './export/forms.ts';
import { scenarios } from './export/scenarios.ts';

const stack = useExclusiveStack();

describe('exported events', () => forms(stack));
// These replace the targets of the start.
describe('an export', () => scenarios(stack));
