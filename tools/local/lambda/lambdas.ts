import { appendFileSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { timeLimitOf } from '../../../lambdas/registered.ts';
import { type Invocation, LambdaFunction } from './function.ts';
import { type AwsAccess, runtimeEnvironment } from './runtime-environment.ts';

export type LambdasOptions = {
  /** Has `<name>/index.mjs` of each Lambda. */
  bundles: string;
  /** The variables of each Lambda, by name. */
  environments: Record<string, Record<string, string>>;
  aws: AwsAccess;
  /** Gets the Lambdas' standard output and error; overwritten at the start. */
  logFile: string;
};

/** All Lambdas of the local stack, by name. */
export type Lambdas = {
  /** @param trace the X-Ray header of the chain of calls, if there is one */
  invoke: (name: string, event: unknown, trace?: string) => Promise<Invocation>;
  /** Loads every Lambda, a few at a time, so that first calls are as fast as later ones. */
  warm: () => Promise<void>;
  close: () => Promise<void>;
};

export function createLambdas({ bundles, environments, aws, logFile }: LambdasOptions): Lambdas {
  const log = openLog(logFile);
  const functions = new Map(
    Object.entries(environments).map(([name, own]) => {
      const bundle = pathToFileURL(join(bundles, name, 'index.mjs')).href;
      const environment = { ...runtimeEnvironment(name, aws), ...own };
      return [name, new LambdaFunction({ name, bundle, environment, log, ...timeoutFor(name) })];
    }),
  );
  return {
    invoke: async (name, event, trace) => {
      const found = functions.get(name);
      if (!found) throw new Error(`There is no Lambda ${name}`);
      return await found.invoke(event, trace);
    },
    warm: async () => {
      const remaining = functions.values();
      await Promise.all(Array.from({ length: warmedAtOnce }, async () => await warmAll(remaining)));
    },
    close: async () => {
      await Promise.all([...functions.values()].map(async (one) => await one.close()));
      await finished(log.end());
    },
  };
}

/** Written at once, because to have another thread write a line costs more than to write it. */
function openLog(path: string): Writable {
  const file = openSync(path, 'w', 0o600);
  return new Writable({
    write: (lines: Buffer, _, done) => {
      appendFileSync(file, lines);
      done();
    },
    final: (done) => {
      closeSync(file);
      done();
    },
  });
}

/** Few, so that calls get their share of a small machine. */
const warmedAtOnce = 2;

async function warmAll(functions: Iterable<LambdaFunction>): Promise<void> {
  for (const one of functions) await one.warm();
}

function timeoutFor(name: string): { timeoutMs?: number } {
  const seconds = timeLimitOf(name);
  return seconds === undefined ? {} : { timeoutMs: seconds * 1_000 };
}
