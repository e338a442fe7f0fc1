import type { Network, Unsubscribe } from './platform.ts';

export class BrowserNetwork implements Network {
  online(): boolean {
    return navigator.onLine;
  }

  onChange(listener: (online: boolean) => void): Unsubscribe {
    const changed = () => listener(this.online());
    addEventListener('online', changed);
    addEventListener('offline', changed);
    return () => {
      removeEventListener('online', changed);
      removeEventListener('offline', changed);
    };
  }
}
