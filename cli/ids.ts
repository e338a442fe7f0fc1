import { Argument, type Command, Option } from 'commander';
import * as v from 'valibot';
import { categories } from '../core/events/target-ref.ts';
import { visibleText } from '../core/kernel/text.ts';
import { nonce, userId } from '../core/kernel/identifiers.ts';
import { UsageError } from './command-error.ts';
import { type Expectation, parserOf } from './options.ts';

/** Says what a command is about: an argument, and an option of the same name. */
export type Id = { name: string; placeholder: string; description: string; parse: (text: string) => unknown };

const id = (
  name: string,
  description: string,
  schema: v.GenericSchema<unknown, string>,
  { placeholder = 'id', ...expectation }: Expectation & { placeholder?: string },
): Id => ({ name, placeholder, description, parse: parserOf(schema, expectation) });

export const uuid = v.pipe(
  v.string(),
  v.uuid(),
  v.transform((text) => text.toLowerCase()),
);

export const exampleTenant = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';
export const exampleClient = '4ng8q1d5p6v2example';
export const exampleDevice = '01a1fe1b-614a-76d7-be2c-40cf9bcf9a57';

/** An id or a name. `resolveTenant` makes an id of it before a command runs. */
const idOrName = v.union([uuid, visibleText(128)]);

export const tenantId = id('tenant', 'the tenant, by its id or its name', idOrName, {
  expected: 'the id of a tenant, or its name of at most 128 characters',
  example: exampleTenant,
});

export const categoryId = id('category', 'public or log events', v.picklist(categories), {
  expected: categories.join(' or '),
  example: 'public',
  placeholder: 'category',
});

export const userIdentifier = id('user', 'the user', userId, { example: 'alice' });

export const deviceId = id('device', 'the device', uuid, { expected: 'a UUID', example: exampleDevice });

/** What OAuth allows in a client id (RFC 6749, A.1), without blanks at its ends, and not longer than a key may be. */
export const clientIdText = v.pipe(v.string(), v.regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/));

export const clientIdExpectation: Expectation = {
  expected: 'the id of a client, 1 to 512 ASCII characters',
  example: exampleClient,
};

export const clientId = id('client', 'the client', clientIdText, clientIdExpectation);

export const nonceId = id('nonce', 'the nonce that the website sent', nonce, {
  example: '8f2c1e0b7d6a4f93',
  placeholder: 'nonce',
});

export function addId(
  command: Command,
  { name, placeholder, description, parse }: Id,
  required: boolean,
): void {
  const note = required ? 'required, here or as an argument' : 'here or as an argument';
  command
    .addArgument(new Argument(`[${name}]`, `${description}, like --${name}`).argParser(parse))
    .addOption(new Option(`--${name} <${placeholder}>`, `${description} (${note})`).argParser(parse));
}

/**
 * Makes the argument of an id count as its option.
 *
 * @throws {UsageError} if both are given and differ
 */
export function mergeIds(command: Command): void {
  for (const [index, argument] of command.registeredArguments.entries()) {
    const name = argument.name();
    const [asArgument, asOption] = [
      command.processedArgs[index] as string | undefined,
      command.getOptionValue(name) as string | undefined,
    ];
    if (asArgument === undefined) continue;
    if (asOption !== undefined && asOption !== asArgument)
      throw new UsageError(
        `The argument [${name}] is ${asArgument}, but --${name} is ${asOption}. Pass only one of them.`,
      );
    command.setOptionValue(name, asArgument);
  }
}

/** @throws {UsageError} if an id is missing that the command needs */
export function requireIds(command: Command, required: readonly Id[], example: string): void {
  const missing = required.filter(({ name }) => command.getOptionValue(name) === undefined);
  if (missing.length === 0) return;
  throw new UsageError(
    `Missing: ${missing.map(({ name }) => name).join(', ')}. Pass ids as arguments or as options, for example: omi ${example}`,
  );
}
