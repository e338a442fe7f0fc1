import type { ScanOutcome, Scanner } from '../platform.ts';

/** Reads the QR code in what a video shows now. */
type QrReader = (video: HTMLVideoElement) => Promise<string | undefined>;

/** The Shape Detection API, which is not in the DOM's types. */
type BarcodeDetectorApi = {
  new (options: { formats: string[] }): {
    detect(source: CanvasImageSource): Promise<{ rawValue: string }[]>;
  };
  getSupportedFormats(): Promise<string[]>;
};

/** The browser's own reader, else one that is loaded only now. */
async function qrReader(): Promise<QrReader> {
  const { BarcodeDetector: api } = globalThis as { BarcodeDetector?: BarcodeDetectorApi };
  const formats = (await api?.getSupportedFormats().catch(() => [])) ?? [];
  return api && formats.includes('qr_code') ? ownReader(api) : await loadedReader();
}

function ownReader(api: BarcodeDetectorApi): QrReader {
  const detector = new api({ formats: ['qr_code'] });
  return async (video) => (await detector.detect(video))[0]?.rawValue;
}

/** Pixels of the longer side: more than the modules of a long link need, and little work for each picture. */
const longerSide = 800;

async function loadedReader(): Promise<QrReader> {
  const { default: decode } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, longerSide / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!context || canvas.width === 0 || canvas.height === 0) return undefined;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      return await Promise.resolve(decode(context.getImageData(0, 0, canvas.width, canvas.height)));
    } catch {
      return undefined; // There is no code in this picture.
    }
  };
}

const hasCameraApi = (): boolean => 'mediaDevices' in navigator;

/** The back camera if there are two. A resolution at which a QR code on a screen can be read from an arm's length. */
const constraints: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
};

async function openCamera(): Promise<MediaStream> {
  return await navigator.mediaDevices.getUserMedia(constraints);
}

function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

const outcomes: Record<string, ScanOutcome['outcome'] & ('no-camera' | 'denied')> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'no-camera',
  OverconstrainedError: 'no-camera',
};

/** Why there is no picture. Most other errors mean that another program uses the camera. */
function cameraOutcomeOf(error: unknown): ScanOutcome {
  const name = error instanceof DOMException ? error.name : '';
  return { outcome: Object.hasOwn(outcomes, name) ? (outcomes[name] ?? 'busy') : 'busy' };
}

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
