import { topGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { verifyCommand } from './verify.ts';

export const logCommands = topGroup(
  {
    examples: [`log verify ${exampleTenant} public`],
  },
  [verifyCommand],
);
