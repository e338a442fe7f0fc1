const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type of the first chunk, which has 13 bytes (PNG, section 11.2.1). */
const header = Buffer.from([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
/** A small file can claim to be a huge picture. */
const widest = 1024;

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature);

/** Why a file is no logo, as a sentence; undefined if it is one. */
export function faultOfPng(bytes: Buffer): string | undefined {
  if (bytes.length < 24 || !bytes.subarray(8, 16).equals(header)) return 'The PNG has no header.';
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (Math.min(width, height) >= 1 && Math.max(width, height) <= widest) return undefined;
  return `The PNG has ${width} × ${height} pixels: expected at most ${widest} × ${widest}.`;
}
