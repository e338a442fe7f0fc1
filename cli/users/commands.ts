import { defineGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { eraseCommand } from './erase.ts';
import { limitsCommand } from './limits.ts';

export const userCommands = defineGroup(
  {
    name: 'user',
    description: "Users of the tenants' websites.",
    examples: [`user limits ${exampleTenant} alice`, `user erase ${exampleTenant} alice --yes`],
  },
  [limitsCommand, eraseCommand],
);
