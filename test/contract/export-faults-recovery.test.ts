/** A target that gets events all the time is well again soon after a stall. */
import { useExclusiveStack } from '../support/use-stack.ts';
import { recovery } from './export-faults/recovery.ts';
import { useScene } from './export-faults/scene.ts';

recovery(useScene(useExclusiveStack()));
