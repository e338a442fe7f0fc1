/** Pays after a confirmation, with Next's route handlers. */
import { createRoutes, memoryStore, Omi } from '@omi/website';
import { message, session } from '../website-bank.ts';

const { OMI_BASE_URL = '', OMI_TOKEN_URL = '', OMI_TENANT_ID = '' } = process.env;
const { OMI_CLIENT_ID = '', OMI_CLIENT_SECRET = '', ORIGIN } = process.env;

const omi = new Omi({
  baseUrl: OMI_BASE_URL,
  tokenUrl: OMI_TOKEN_URL,
  tenantId: OMI_TENANT_ID,
  clientId: OMI_CLIENT_ID,
  clientSecret: OMI_CLIENT_SECRET,
});

export const routes = createRoutes(omi, {
  session,
  message,
  store: memoryStore(), // Several servers need one that they share.
  origin: ORIGIN, // Next does not tell how the browser reached it.
});
