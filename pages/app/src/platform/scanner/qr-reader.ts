/** Reads the QR code in what a video shows now. */
export type QrReader = (video: HTMLVideoElement) => Promise<string | undefined>;

/** The Shape Detection API, which is not in the DOM's types. */
type BarcodeDetectorApi = {
  new (options: { formats: string[] }): {
    detect(source: CanvasImageSource): Promise<{ rawValue: string }[]>;
  };
  getSupportedFormats(): Promise<string[]>;
};

/** The browser's own reader, else one that is loaded only now. */
export async function qrReader(): Promise<QrReader> {
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
