import type { TabMessage, Tabs, Unsubscribe } from './platform.ts';

/** `accounts`: the accounts were changed in another tab. */
type ChannelMessage = Extract<TabMessage, { type: 'answered' }> | { readonly type: 'accounts' };

/** Connects the tabs of this app with each other, and with the service worker. */
export class BrowserTabs implements Tabs {
  readonly #channel: BroadcastChannel;
  readonly #worker = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;

  /** @param app the name of its storage, which its tabs share */
  constructor(app: string) {
    this.#channel = new BroadcastChannel(app);
  }

  announce(message: ChannelMessage): void {
    this.#channel.postMessage(message);
  }

  onMessage(listener: (message: TabMessage) => void): Unsubscribe {
    const fromTab = ({ data }: MessageEvent<ChannelMessage>) => {
      if (data.type === 'answered') listener(data);
    };
    const fromWorker = ({ data, ports: [waiting] }: MessageEvent<TabMessage>) => {
      listener(data);
      // The service worker opens a window of its own unless it hears from this one.
      waiting?.postMessage('taken');
    };
    this.#channel.addEventListener('message', fromTab);
    this.#worker?.addEventListener('message', fromWorker);
    return () => {
      this.#channel.removeEventListener('message', fromTab);
      this.#worker?.removeEventListener('message', fromWorker);
    };
  }

  onAccountsChange(listener: () => void): Unsubscribe {
    const fromTab = ({ data }: MessageEvent<ChannelMessage>) => {
      if (data.type === 'accounts') listener();
    };
    this.#channel.addEventListener('message', fromTab);
    return () => this.#channel.removeEventListener('message', fromTab);
  }
}
