import { defineGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { listSignalsCommand } from './list.ts';

export const signalCommands = defineGroup(
  {
    name: 'signal',
    description: 'Streams of signals, which their receivers make and steer.',
    examples: [`signal list ${exampleTenant}`],
  },
  [listSignalsCommand],
);
