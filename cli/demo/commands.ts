import { defineGroup } from '../command.ts';
import { connectCommand } from './connect.ts';

export const demoCommands = defineGroup(
  {
    name: 'demo',
    description: 'The demo bank of a stage, which "cdk deploy -c demo=true" creates.',
    examples: ['demo connect --stage staging --region eu-central-1'],
  },
  [connectCommand],
);
