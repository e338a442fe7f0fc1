import type * as v from 'valibot';
import type { EnvironmentSchema, EnvironmentShape, Facts } from './lambda-definition.ts';
import * as lambdas from './index.ts';

export type LambdaName = keyof typeof lambdas;

export const lambdaNames = Object.keys(lambdas) as LambdaName[];

type Definition = Facts & { environment: EnvironmentSchema };
const definitions: Record<LambdaName, Definition> & Partial<Record<string, Definition>> = lambdas;

export const factsOf = (name: LambdaName): Facts => definitions[name];

const found = (name: string): Facts | undefined => definitions[name];

/** Seconds for a call of a Lambda, if it is not the usual time. */
export const timeLimitOf = (name: string): number | undefined => found(name)?.timeoutSeconds;

export const isTraced = (name: string): boolean => found(name)?.untraced !== true;

/** True if Lambda lets the function call itself through its own queue. */
export const mayLoop = (name: string): boolean => found(name)?.recursiveLoop !== undefined;

export type EnvironmentOf<Name extends LambdaName> = v.InferInput<(typeof lambdas)[Name]['environment']>;

type AllOf<Taking> = [Taking] extends [(all: infer All) => void] ? All : never;

/**
 * The variables of all Lambdas. Each has one value in a deployment, whichever Lambda reads it. Without one that a Lambda
 * requires, the values do not compile.
 */
export type Values = AllOf<{ [Name in LambdaName]: (environment: EnvironmentOf<Name>) => void }[LambdaName]>;

/** The values that the Lambda's schema names. */
export function environmentOf(name: LambdaName, values: Values): Record<string, string> {
  const named = namesIn(lambdas[name].environment);
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => named.has(entry[0]) && entry[1] !== undefined,
    ),
  );
}

function namesIn(schema: EnvironmentShape): ReadonlySet<string> {
  return new Set(
    'options' in schema
      ? schema.options.flatMap((option) => [...namesIn(option)])
      : Object.keys(schema.entries),
  );
}
