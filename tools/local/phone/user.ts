/** The user of the simulated phone: who is asked on the terminal, unless an option decides. */
import type { Answer, Challenge } from '#device';
import type { Standing } from './options.ts';
import { Terminal } from './terminal.ts';

export type User = {
  /** @throws {ClientError} if there is nobody who could decide */
  requirePresence: () => void;
  decide: (challenge: Challenge, signal: AbortSignal) => Promise<Answer>;
  /** The number that the website shows, for a challenge that does not offer any; or a denial. */
  typeNumber: (signal: AbortSignal) => Promise<Answer>;
};

const denial: Answer = { decision: 'deny', reason: 'user_declined' };
const notMe: Answer = { decision: 'deny', reason: 'not_me' };

const words: Record<string, Standing> = {
  y: 'confirm',
  yes: 'confirm',
  confirm: 'confirm',
  n: 'deny',
  no: 'deny',
  deny: 'deny',
  m: 'not-me',
  'not me': 'not-me',
  'not-me': 'not-me',
};

const denialFor = (line: string): Answer | undefined => {
  const word = words[line];
  if (word === undefined || word === 'confirm') return undefined;
  return word === 'deny' ? denial : notMe;
};

export function userAt(standing: Standing | undefined): User {
  let opened: Terminal | undefined;
  // Not before a question: reading from the terminal would stop a phone in the background.
  const terminal = (): Terminal => (opened ??= new Terminal());

  const requirePresence = (): void => {
    if (standing === undefined) terminal().requireSomebody();
  };

  const askDecision = async (signal: AbortSignal): Promise<Standing> =>
    await terminal().ask('  Confirm? [y]es, [n]o, [m] this was not me: ', (line) => words[line], signal);

  const decide: User['decide'] = async ({ matchNumbers }, signal) => {
    const decision = standing ?? (await askDecision(signal));
    if (decision === 'deny') return denial;
    if (decision === 'not-me') return notMe;
    return matchNumbers ? await chooseFrom(matchNumbers, signal) : { decision: 'confirm' };
  };

  const chooseFrom = async (numbers: string[], signal: AbortSignal): Promise<Answer> => {
    const question = `  Which number does the website show: ${numbers.join(', ')}? ([n]o, [m] not me) `;
    const read = (line: string): Answer | undefined =>
      numbers.includes(line) ? { decision: 'confirm', number: line } : denialFor(line);
    return await terminal().ask(question, read, signal);
  };

  const typeNumber: User['typeNumber'] = async (signal) => {
    const question = '  Type the six digits that the website shows ([n]o, [m] not me): ';
    const read = (line: string): Answer | undefined => {
      const digits = line.replaceAll(/[\s-]/g, '');
      return /^\d{6}$/.test(digits) ? { decision: 'confirm', number: digits } : denialFor(line);
    };
    return await terminal().ask(question, read, signal);
  };

  return { requirePresence, decide, typeNumber };
}
