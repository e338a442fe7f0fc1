import { clientsOfDevelopers } from '../resources/tenants.ts';
import { StartError } from './start-error.ts';

/** Readers of files with variables agree on these characters, and need no quotes for them. */
const plainSecret = /^[\w./=-]{8,128}$/;

/**
 * The secret of the clients that developers use, if one is chosen. A shell may have the credentials of another client, such as those of a
 * website in the cloud; they are ignored.
 */
export function chosenClientSecret({ OMI_CLIENT_ID, OMI_CLIENT_SECRET }: NodeJS.ProcessEnv): {
  clientSecret?: string;
} {
  const isOfAnother = OMI_CLIENT_ID !== undefined && !clientsOfDevelopers.includes(OMI_CLIENT_ID);
  if (OMI_CLIENT_SECRET === undefined || isOfAnother) return {};
  if (plainSecret.test(OMI_CLIENT_SECRET)) return { clientSecret: OMI_CLIENT_SECRET };
  throw new StartError('OMI_CLIENT_SECRET must have 8 to 128 of these characters: A-Z a-z 0-9 . _ / = -');
}
