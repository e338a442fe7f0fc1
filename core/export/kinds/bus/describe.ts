import type { BusDestination } from './record.ts';

export const describeBus = ({ busArn, roleArn, externalId, format }: BusDestination) => ({
  'event bus': busArn,
  role: roleArn,
  'external id': externalId,
  format,
});
