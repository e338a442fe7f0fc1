import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { confirmations: ['GetItem', 'UpdateItem'], events: ['PutItem'] },
  // Most calls of the API are polls, and a poll is one read. Their traces would cost more than those of all other calls and
  // show nothing that the route's metrics do not show.
  untraced: true,
});
