import { digestOf } from '../../../evidence/src/bytes.ts';
import { Denied } from './denied.ts';

/** Who is signed in. The id changes when somebody signs in, and is not to be guessed. */
export type Session = { id: string; userId: string };

/**
 * Somebody is signed in. In JavaScript a session easily has a number or nothing as its user, and in a path even `undefined` is a user.
 *
 * @throws {Denied} with 401 if nobody is signed in
 */
export function signedIn<Signed extends Session>(session: Signed | null | undefined): Signed {
  if (!session) throw new Denied('No user is signed in.', { code: 'signed-out', status: 401 });
  const { id, userId }: Record<keyof Session, unknown> = session;
  for (const [name, value] of Object.entries({ id, userId }))
    if (typeof value !== 'string' || value === '')
      throw new TypeError(
        `The session's ${name} must be a text that is not empty; its type is ${typeof value}.`,
      );
  return session;
}

/** Stands for a session and its user in the store, where no session id belongs. */
export const ownerOf = async ({ id, userId }: Session): Promise<string> =>
  await digestOf(JSON.stringify([id, userId]));
