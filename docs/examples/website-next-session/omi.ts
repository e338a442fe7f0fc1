/** Next's own cookies tell who is signed in, and a server action pays. */
import { createRoutes, memoryStore, Omi, type Session, type Store } from '@omi/website';
import { cookies } from 'next/headers';
import { message, sessionOf } from '../website-bank.ts';

export const session = async (): Promise<Session | undefined> =>
  sessionOf((await cookies()).get('session')?.value);

// Next bundles routes and actions apart from each other. What they share is global, or in a store such as Redis.
const shared = globalThis as typeof globalThis & { omiStore?: Store };
const store = (shared.omiStore ??= memoryStore());

export const routes = createRoutes(new Omi(), { session, message, store, origin: process.env['ORIGIN'] });
