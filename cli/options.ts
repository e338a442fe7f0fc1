import * as v from 'valibot';
import { userId } from '../core/kernel/identifiers.ts';
import { categories } from '../core/events/target-ref.ts';
import { checkedOption } from './command.ts';

const uuid = v.pipe(
  v.string(),
  v.uuid('expected a UUID'),
  v.transform((text) => text.toLowerCase()),
);

/** The options that many commands have. Each call makes one of its own: commander changes what it is given. */
export const tenantOption = () => checkedOption('--tenant <id>', 'the tenant', uuid);

export const uuidOption = (flags: string, description: string) => checkedOption(flags, description, uuid);

export const categoryOption = () =>
  checkedOption(
    '--category <category>',
    'public or log events',
    v.picklist(categories),
    `expected one of ${categories.join(', ')}`,
  );

export const userOption = () => checkedOption('--user <id>', 'the user', userId);

/** A device's id is a UUID; another text would be the id of nothing, however often it is repeated. */
export const deviceOption = () => uuidOption('--device <id>', 'the device');

/** What OAuth lets a client id be (RFC 6749, A.1), but for blanks at its ends, and as long as a key may be. */
export const clientId = v.pipe(v.string(), v.regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/));

export const clientIdOption = (description: string) =>
  checkedOption(
    '--client <id>',
    description,
    clientId,
    'expected the id of a client, 1 to 512 ASCII characters',
  );

export const eventType = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Za-z0-9]*Event$/, 'expected a type like UserSignedInEvent'),
);
