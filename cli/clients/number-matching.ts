import { Option } from 'commander';
import { type NumberMatchingMode, numberMatchingModes } from '../../core/tenants/tenant.ts';

/** Stands for the setting of the tenant. */
const tenant = 'tenant';

export type NumberMatchingChoice = NumberMatchingMode | typeof tenant;

export const numberMatchingOption = (): Option =>
  new Option(
    '--number-matching <kind>',
    'whether users repeat a number, only for this client. "tenant" applies its tenant\'s setting',
  ).choices([...numberMatchingModes, tenant]);

/** @returns undefined if the tenant's setting holds */
export const readNumberMatching = (
  chosen: NumberMatchingChoice | undefined,
): NumberMatchingMode | undefined => (chosen === tenant ? undefined : chosen);

/** In the words of the option. */
export const numberMatchingText = (mode: NumberMatchingMode | undefined): NumberMatchingChoice =>
  mode ?? tenant;
