import { apiStack, type Handler } from './api-lambda.ts';
import { respondToOAuthErrors } from './oauth-responses.ts';

/** For endpoints of OAuth clients, which take forms. Their handlers read the body, because the client comes first. */
export const oauthLambda = (handler: Handler) => apiStack(respondToOAuthErrors).handler(handler);
