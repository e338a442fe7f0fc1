import { topGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { listSignalsCommand } from './list.ts';

export const signalCommands = topGroup(
  {
    examples: [`signal list ${exampleTenant}`],
  },
  [listSignalsCommand],
);
