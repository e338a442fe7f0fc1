/** The calls of the help desk in Firefox. */
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useFirefox } from '../support/browser/firefox.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { calls } from './console/calls.ts';
import { inFirefox } from './console/seat.ts';

const stack = useSharedStack();

const describe = await describeIn('firefox');

describe('the help desk in Firefox', () => {
  const firefox = useFirefox();

  calls(stack, async () => inFirefox(await firefox.openApart('about:blank')));
});
