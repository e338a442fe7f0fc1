import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isPublicAddress } from './public-address.ts';

/** A name that leads to an address which is not on the public internet. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Resolves a name for a connection, and refuses it unless all of its addresses are public. The connection goes to the
 * addresses that were checked, so a name that changes its address in between gains nothing.
 */
export function publicLookup(
  host: string,
  options: LookupOptions,
  callback: Callback,
  resolve: typeof lookup = lookup,
): void {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, []);
      return;
    }
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      callback(new NotPublic('The host is not on the public internet.'), []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
}
