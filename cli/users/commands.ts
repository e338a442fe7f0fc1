import { topGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { eraseCommand } from './erase.ts';
import { limitsCommand } from './limits.ts';

export const userCommands = topGroup(
  {
    examples: [`user limits ${exampleTenant} alice`, `user erase ${exampleTenant} alice --yes`],
  },
  [limitsCommand, eraseCommand],
);
