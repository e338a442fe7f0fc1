/** Pays after a confirmation, with Next's route handlers. */
import { createRoutes, memoryStore, Omi } from '@omi/website';
import { message, session } from '../website-bank.ts';

export const routes = createRoutes(new Omi(), {
  session,
  message,
  store: memoryStore(), // Several servers need one that they share.
  origin: process.env['ORIGIN'], // Next does not tell how the browser reached it.
});
