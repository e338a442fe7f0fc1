import type { RegisteredClient } from '../access/registered-client.ts';
import { authenticateClient, type AuthenticationDeps } from '../openid/authenticate-client.ts';
import { readCredentials } from '../openid/client-credentials.ts';
import { Form } from '../openid/form.ts';
import type { ClientContext } from '../openid/start-authentication.ts';
import type { ApiEvent } from './api-event.ts';
import type { Handler } from './api-lambda.ts';
import { formText } from './request-bodies.ts';
import { requestContextOf } from './request-context.ts';
import type { HttpResponse } from './responses.ts';

/**
 * A handler for forms of OAuth clients. The client is authenticated first, so a stranger learns nothing of its own
 * parameters.
 */
export const clientHandler =
  (
    deps: AuthenticationDeps,
    handle: (form: Form, context: ClientContext & { dpop: string | undefined }) => Promise<HttpResponse>,
  ): Handler =>
  async (event) => {
    const now = Date.now();
    const { form, client } = await authenticate(deps, event, now);
    return await handle(form, { ...requestContextOf(event, now), client, dpop: event.headers['dpop'] });
  };

async function authenticate(
  deps: AuthenticationDeps,
  event: ApiEvent,
  now: number,
): Promise<{ form: Form; client: RegisteredClient }> {
  const { authorization } = event.headers;
  const authenticated = async (form: Form) =>
    await authenticateClient(deps, readCredentials(authorization, form), now);
  let form: Form;
  try {
    form = new Form(formText(event));
  } catch (error) {
    // Credentials in the form cannot be read, but those in the header can.
    if (authorization !== undefined) await authenticated(new Form(''));
    throw error;
  }
  return { form, client: await authenticated(form) };
}
