import { InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';

/** What a person may type for a value. Without `expected`, the words of the schema say it. */
export type Expectation = { expected?: string; example: string };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A parser for commander. Its errors name the expected form and an example; commander names the value. */
export const parserOf =
  <Schema extends v.GenericSchema>(schema: Schema, { expected, example }: Expectation) =>
  (text: string): v.InferOutput<Schema> => {
    const result = v.safeParse(schema, text);
    if (result.success) return result.output;
    const reason =
      expected === undefined
        ? result.issues.map(({ message }) => message).join('; ')
        : `expected ${expected}`;
    throw new InvalidArgumentError(`${capitalized(reason)}, for example ${example}.`);
  };

/** An option whose value a schema checks. */
export const checkedOption = (
  flags: string,
  description: string,
  schema: v.GenericSchema,
  expectation: Expectation,
): Option => new Option(flags, description).argParser(parserOf(schema, expectation));

/** An option with several values. A value that is repeated counts once. */
export function listOption(
  flags: string,
  description: string,
  schema: v.GenericSchema,
  expectation: Expectation,
): Option {
  const parse = parserOf(schema, expectation);
  return new Option(flags, description).argParser((text: string, before?: unknown[]) => [
    ...new Set([...(before ?? []), parse(text)]),
  ]);
}

const wholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));

/** An option with a whole number. */
export function numberOption(
  flags: string,
  description: string,
  { from, to, example }: { from: number; to?: number; example: number },
): Option {
  const schema = v.pipe(wholeNumber, v.minValue(from), v.maxValue(to ?? Number.MAX_SAFE_INTEGER));
  const range = to === undefined ? `above ${from - 1}` : `from ${from} to ${to}`;
  return checkedOption(flags, description, schema, {
    expected: `a whole number ${range}`,
    example: String(example),
  });
}

/** How many seconds a command waits for what the service finds out. */
export const timeoutOption = ({ usual, longest }: { usual: number; longest: number }): Option =>
  numberOption('--timeout <seconds>', 'how long to wait for the result', {
    ...{ from: 1, to: longest, example: usual },
  }).default(usual);

/** Confirms in advance what cannot be undone. */
export const yesOption = (): Option => new Option('--yes', 'without asking for confirmation');

const typeExpectation = { expected: 'a type of events', example: 'UserSignedInEvent' };
const eventType = v.pipe(v.string(), v.regex(/^[A-Z][A-Za-z0-9]*Event$/));

export const typeOption = (description: string): Option =>
  listOption('--type <type...>', description, eventType, typeExpectation);

/** The same for one type. */
export const oneTypeOption = (description: string): Option =>
  checkedOption('--type <type>', description, eventType, typeExpectation);

/** As AWS names its regions: `eu-central-1`, `us-gov-west-1`, `eusc-de-east-1`. */
export const regionName = v.pipe(v.string(), v.regex(/^[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}$/));

/** The beginning of an ARN with the name of a region. */
const inRegion = /^arn:[^:]+:[^:]+:[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}:/;

/** An ARN with the name of a region. The service would never find anything in another one. */
export const regionalArn = <Schema extends v.GenericSchema<string, string>>(arn: Schema) =>
  v.pipe(arn, v.regex<string>(inRegion));
