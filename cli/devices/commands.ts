import { defineGroup } from '../command.ts';
import { exampleTenant } from '../ids.ts';
import { listDevicesCommand } from './list.ts';
import { removeDeviceCommand } from './remove.ts';

export const deviceCommands = defineGroup(
  {
    name: 'device',
    description: "Devices: what a tenant's users confirm with.",
    examples: [`device list ${exampleTenant} alice`],
  },
  [listDevicesCommand, removeDeviceCommand],
);
