import * as v from 'valibot';
import { userId } from '../core/domain/identifiers.ts';
import { categories } from '../core/domain/target.ts';
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

export const eventType = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Za-z0-9]*Event$/, 'expected a type like UserSignedInEvent'),
);
