import { action, examples, type Register } from '../command.ts';
import { examine } from './examine.ts';

export const registerDoctor: Register = (above, terminal) => {
  above
    .command('doctor')
    .description(
      'Looks at the whole deployment, and says what is wrong and how to fix it. Exit code 1 if anything is.',
    )
    .addHelpText(
      'after',
      examples('doctor --stage production --region eu-central-1', 'doctor --local --json'),
    )
    .action(action(terminal, examine));
};
