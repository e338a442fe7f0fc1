import { topGroup } from '../command.ts';
import { connectCommand } from './connect.ts';

export const demoCommands = topGroup(
  {
    examples: ['demo connect --stage staging --region eu-central-1'],
  },
  [connectCommand],
);
