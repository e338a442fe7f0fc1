import { digestOf } from '../../../evidence/src/bytes.ts';

/** Who is signed in. The id changes when somebody signs in, and is not to be guessed. */
export type Session = { id: string; userId: string };

/** Stands for a session and its user in the store, where no session id belongs. */
export const ownerOf = async ({ id, userId }: Session): Promise<string> =>
  await digestOf(JSON.stringify([id, userId]));
