import { join } from 'node:path';

/** How a model is checked: what it consists of, and which faults the verifier must find in it. */
export type Model = {
  name: string;
  file: string;
  defines: readonly string[];
  /** True if something must happen in the end, and not only never go wrong. Then the processes are scheduled fairly. */
  isLiveness?: true;
  /** Each is a define of the file, without `FAULT_`. */
  faults: readonly string[];
};

const folder = join(import.meta.dirname, '../../docs/models');
const confirmation = join(folder, 'confirmation.pml');
const delivery = join(folder, 'delivery.pml');

/** All that `npm run models` checks. docs/models/README.md explains each fault. */
export const models: readonly Model[] = [
  {
    name: 'confirmation',
    file: confirmation,
    defines: [],
    faults: [
      'LOST_CONDITION',
      'NO_VERSION',
      'COMPUTED_EXPIRY',
      'EXPIRY_TWICE',
      'EVENT_FIRST',
      'NO_EVENT',
      'NO_EVIDENCE',
      'NONCE_UNCHECKED',
      'REPETITION_UNKNOWN',
      'REMOVAL_ENDS_ALL',
      'REMOVAL_ENDS_NOTHING',
    ],
  },
  {
    name: 'group',
    file: confirmation,
    defines: ['GROUP', 'CALLERS=2'],
    faults: [
      'GROUP_UNCHECKED',
      'TALLY_UNCHECKED',
      'CLOSE_LATER',
      'CANCEL_AFTER_EXPIRY',
      'NO_VERSION',
      'LOST_CONDITION',
    ],
  },
  {
    name: 'delivery: order and loss',
    file: delivery,
    defines: [],
    faults: [
      'OVERTAKES',
      'NO_WATERMARK',
      'STALE_READ',
      'WATERMARK_FALLS',
      'DRAINS_FIRST',
      'ACK_FIRST',
      'DELETES_FIRST',
      'GIVES_UP',
    ],
  },
  {
    name: 'delivery: everything arrives',
    file: delivery,
    defines: ['ARRIVES'],
    isLiveness: true,
    faults: ['STOPS_TRYING'],
  },
  {
    name: 'delivery: a neighbour',
    file: delivery,
    defines: ['NEIGHBOUR'],
    isLiveness: true,
    faults: ['WAITS_FOR_TARGET', 'ONE_GROUP'],
  },
];
