import type { BrowserContext } from 'playwright-core';
import decode from 'qr/decode.js';

/** What a camera reads in a picture (PNG). The picture's pixels are taken by a page of its own. */
export async function readQr(context: BrowserContext, picture: Buffer): Promise<string> {
  const page = await context.newPage();
  const image = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    canvas?.drawImage(bitmap, 0, 0);
    return { width, height, data: [...(canvas?.getImageData(0, 0, width, height).data ?? [])] };
  }, picture.toString('base64'));
  await page.close();
  return decode({ ...image, data: Uint8Array.from(image.data) });
}
