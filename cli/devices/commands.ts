import { topGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { listDevicesCommand } from './list.ts';
import { removeDeviceCommand } from './remove.ts';

export const deviceCommands = topGroup(
  {
    examples: [`device list ${exampleTenant} alice`],
  },
  [listDevicesCommand, removeDeviceCommand],
);
