/** What tenants find in their own streams and buckets. */
import { describe } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import { forms } from './export/forms.ts';
import { scenarios } from './export/scenarios.ts';

const stack = useStack();

describe('what arrives', () => forms(stack));
// These replace the targets of the start.
describe('scenarios', () => scenarios(stack));
