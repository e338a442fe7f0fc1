import { writeContext } from '../../core/confirmations/context.ts';

/** `context` and `contextHash` of a confirmation of which only the setting is known. */
export const plainContext = writeContext({ userVerification: 'off' });
