import { defineGroup, topGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { targetKinds } from './kinds.ts';
import { targetDeliveriesCommand } from './deliveries.ts';
import { acknowledgeTargetCommand } from './acknowledge.ts';
import { dismissTargetCommand } from './dismiss.ts';
import { listTargetsCommand } from './list.ts';
import { pauseTargetCommand, resumeTargetCommand } from './pause.ts';
import { policiesCommand } from './policies/command.ts';
import { removeTargetCommand } from './remove.ts';
import { setNoneCommand } from './set-none.ts';
import { rotateTargetCommand } from './rotate.ts';
import { targetStatusCommand } from './status.ts';
import { testTargetCommand } from './test.ts';

const setCommands = defineGroup(
  {
    name: 'set',
    description: 'Sets where events of a category go. A new destination is tested before the first event.',
    examples: [`target set none ${exampleTenant} log --yes`],
  },
  [...Object.values(targetKinds).map(({ set }) => set), setNoneCommand],
);

export const targetCommands = topGroup(
  {
    examples: ['target status', `target test ${exampleTenant} public`],
  },
  [
    setCommands,
    rotateTargetCommand,
    listTargetsCommand,
    targetStatusCommand,
    targetDeliveriesCommand,
    testTargetCommand,
    pauseTargetCommand,
    resumeTargetCommand,
    acknowledgeTargetCommand,
    dismissTargetCommand,
    removeTargetCommand,
    policiesCommand,
  ],
);
