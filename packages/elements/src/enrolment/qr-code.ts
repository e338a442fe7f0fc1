import { correction, generate } from 'lean-qr/nano';
import { createSvg } from '../render/dom.ts';

/** Modules around the code that stay empty, so that a camera finds it. */
const quietZone = 4;

/** The text as a QR code: one path of squares. */
export function qrCode(text: string, label: string): SVGElement {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * quietZone;
  let d = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1)
      if (code.get(x, y)) d += `M${x + quietZone} ${y + quietZone}h1v1h-1z`;
  return createSvg(
    'svg',
    { part: 'qr', class: 'qr', role: 'img', 'aria-label': label, viewBox: `0 0 ${side} ${side}` },
    createSvg('path', { d }),
  );
}
