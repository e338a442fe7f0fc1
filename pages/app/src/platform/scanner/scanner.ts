import type { ScanOutcome, Scanner } from '../platform.ts';
import { cameraOutcomeOf, closeCamera, hasCameraApi, openCamera } from './camera.ts';
import { qrReader } from './qr-reader.ts';

/** Milliseconds between two pictures that are read. */
const pauseMs = 150;

type Options = Parameters<Scanner['scan']>[1];

export class CameraScanner implements Scanner {
  available(): boolean {
    return hasCameraApi();
  }

  async scan(video: HTMLVideoElement, { signal, accepts = () => true }: Options): Promise<ScanOutcome> {
    if (!hasCameraApi()) return { outcome: 'no-camera' };
    try {
      const stream = await openCamera();
      try {
        return await readFrom(video, stream, { signal, accepts });
      } finally {
        closeCamera(stream);
        video.srcObject = null;
      }
    } catch (error) {
      return signal.aborted ? { outcome: 'stopped' } : cameraOutcomeOf(error);
    }
  }
}

async function readFrom(
  video: HTMLVideoElement,
  stream: MediaStream,
  { signal, accepts }: Required<Options>,
): Promise<ScanOutcome> {
  video.muted = true;
  video.playsInline = true; // Else iOS shows the video in full screen.
  video.srcObject = stream;
  const [read] = await Promise.all([qrReader(), video.play()]);
  while (!signal.aborted) {
    if (!stream.active) return { outcome: 'no-camera' };
    const text = await read(video);
    if (text !== undefined && accepts(text)) return { outcome: 'found', text };
    await pause(signal);
  }
  return { outcome: 'stopped' };
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, pauseMs);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
