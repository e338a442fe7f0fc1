import { defineGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { verifyCommand } from './verify.ts';

export const logCommands = defineGroup(
  {
    name: 'log',
    description: 'The log of accepted events, which nobody can rewrite unseen.',
    examples: [`log verify ${exampleTenant} public`],
  },
  [verifyCommand],
);
