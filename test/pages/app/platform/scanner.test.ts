import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import encode from 'qr';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

const link = `http://localhost:8081/enrol#v=1&api=${encodeURIComponent('http://127.0.0.1:8080')}&code=${'c'.repeat(43)}`;

const folder = mkdtempSync(join(tmpdir(), 'omi-camera-'));
const film = join(folder, 'camera.y4m');
writeFileSync(film, filmOf(link));
afterAll(() => rmSync(folder, { recursive: true }));

/** One picture of a QR code, as a camera sees it: grey, not in the middle, with something around it. */
function filmOf(text: string): Buffer {
  const [width, height, scale, left, top] = [640, 480, 7, 150, 60];
  const modules = encode(text, 'raw', { ecc: 'medium', border: 4 });
  const luma = Buffer.alloc(width * height, 120);
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries())
      for (let line = 0; line < scale; line += 1) {
        const start = (top + y * scale + line) * width + left + x * scale;
        luma.fill(isDark ? 40 : 210, start, start + scale);
      }
  const chroma = Buffer.alloc((width * height) / 2, 128);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F30:1 Ip\nFRAME\n`), luma, chroma]);
}

type Scan = { refuse?: boolean; stop?: boolean };

/** Scans, and says whether the camera is off afterwards. */
const scan = async (page: Page, options: Scan = {}) =>
  await page.evaluate(async ({ refuse, stop }) => {
    const tracks: MediaStreamTrack[] = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      tracks.push(...stream.getTracks());
      return stream;
    };
    const video = document.body.appendChild(document.createElement('video'));
    const stopping = new AbortController();
    const texts: string[] = [];
    const accepts = (text: string): boolean => {
      texts.push(text);
      if (stop) stopping.abort();
      return !refuse || texts.length > 2;
    };
    const result = await platform.scanner.scan(video, { signal: stopping.signal, accepts });
    const isOff = tracks.every(({ readyState }) => readyState === 'ended') && video.srcObject === null;
    return { result, isOff, tracks: tracks.length, read: texts.length };
  }, options);

describe('a camera', () => {
  const world = usePlatform({
    own: {
      flags: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ],
    },
  });

  test('reads the link of a QR code, and is off afterwards', async () => {
    const result = await scan(await world.open());
    expect(result).toMatchObject({ result: { outcome: 'found', text: link }, isOff: true, tracks: 1 });
  });

  test('continues after a code that is not accepted', async () => {
    expect(await scan(await world.open(), { refuse: true })).toMatchObject({
      result: { outcome: 'found' },
      read: 3,
    });
  });

  test('is off when the user leaves', async () => {
    const result = await scan(await world.open(), { refuse: true, stop: true });
    expect(result).toMatchObject({ result: { outcome: 'stopped' }, isOff: true, read: 1 });
  });
});

describe('a scan that the user refuses', () => {
  const world = usePlatform({ own: { flags: ['--use-fake-device-for-media-stream'] } });

  test('reports that it was denied', async () => {
    expect(await scan(await world.open())).toMatchObject({ result: { outcome: 'denied' } });
  });
});

describe('a scan without a camera', () => {
  const world = usePlatform({ own: { flags: ['--use-fake-ui-for-media-stream'] } });

  test('reports that there is no camera', async () => {
    expect(await scan(await world.open())).toMatchObject({ result: { outcome: 'no-camera' } });
  });
});
