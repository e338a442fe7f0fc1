import type { ScanOutcome } from '../platform.ts';

export const hasCameraApi = (): boolean => 'mediaDevices' in navigator;

/** The back camera if there are two. A resolution at which a QR code on a screen can be read from an arm's length. */
const constraints: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
};

export async function openCamera(): Promise<MediaStream> {
  return await navigator.mediaDevices.getUserMedia(constraints);
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

const outcomes: Record<string, ScanOutcome['outcome'] & ('no-camera' | 'denied')> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'no-camera',
  OverconstrainedError: 'no-camera',
};

/** Why there is no picture. Most other errors mean that another program uses the camera. */
export function cameraOutcomeOf(error: unknown): ScanOutcome {
  const name = error instanceof DOMException ? error.name : '';
  return { outcome: Object.hasOwn(outcomes, name) ? (outcomes[name] ?? 'busy') : 'busy' };
}
