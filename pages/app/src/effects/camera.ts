import type { Platform } from '../platform/index.ts';
import type { Message } from '../state/messages.ts';

/** Reads a QR code by the camera. A camera that fails is the same to the user as none. */
export async function scanWith(
  { scanner }: Platform,
  send: (message: Message) => void,
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await scanner.scan(video, { signal });
    if (!signal.aborted) send({ type: 'scanned', result });
  } catch {
    if (!signal.aborted) send({ type: 'scanned', result: { outcome: 'no-camera' } });
  }
}
