import { parseArgs } from 'node:util';
import { assumptions } from './assumptions.ts';
import { regions, type Region } from './prices.ts';

export const help = `npm run cost -- [options]

Prints the list price of a million confirmations and a million exported events, and the quota that a load reaches first.

  --region <region>  ${regions.join(' or ')}; default: ${regions[0]}
  --polls <n>        polls until the website has the answer; default: ${assumptions.polls}
  --json             print JSON
  --write            write the tables of docs/scaling.md, with the defaults
  --help             print this text`;

export type Options = { region: Region; polls: number; json: boolean; write: boolean; help: boolean };

const fail = (what: string): never => {
  throw new Error(`${what}\n\n${help}`);
};

function readRegion(text: string): Region {
  return (
    regions.find((region) => region === text) ??
    fail(`Unknown region ${text}: expected ${regions.join(' or ')}.`)
  );
}

function readPolls(text: string): number {
  const polls = Number(text);
  return Number.isInteger(polls) && polls >= 0
    ? polls
    : fail(`Invalid --polls ${text}: expected a whole number.`);
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      region: { type: 'string', default: regions[0] },
      polls: { type: 'string', default: String(assumptions.polls) },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return { ...values, region: readRegion(values.region), polls: readPolls(values.polls) };
}
