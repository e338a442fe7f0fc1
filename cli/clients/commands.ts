import { topGroup } from '../command.ts';
import { exampleClient, exampleTenant } from '../ids.ts';
import { createClientCommand } from './create.ts';
import { deleteClientCommand } from './delete.ts';
import { listClientsCommand } from './list.ts';
import { rotateClientCommand } from './rotate.ts';
import { setClientCommand } from './set.ts';
import { showClientCommand } from './show.ts';
import { testCallbackCommand } from './test-callback.ts';

export const clientCommands = topGroup(
  {
    examples: [`client list ${exampleTenant}`, `client rotate ${exampleClient}`],
  },
  [
    createClientCommand,
    showClientCommand,
    setClientCommand,
    rotateClientCommand,
    testCallbackCommand,
    deleteClientCommand,
    listClientsCommand,
  ],
);
