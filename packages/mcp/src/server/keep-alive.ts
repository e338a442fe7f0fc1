import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const everyMs = 10_000;

/**
 * Tells a host that asked for it that the call goes on: hosts give up after a minute without such a notice.
 *
 * @returns what ends it
 */
export function keepAlive({ _meta, sendNotification }: Extra): () => void {
  const { progressToken } = _meta ?? {};
  let progress = 0;
  const notify = (): void => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: ++progress, message: 'Waiting for the user' };
    // A host that is gone cancels the call: nobody needs the notice.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(notify, everyMs);
  return () => clearInterval(timer);
}
