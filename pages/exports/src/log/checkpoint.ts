/** What a checkpoint says of a log (https://c2sp.org/tlog-checkpoint). Its signature is for others, who do not trust this page. */
export type Checkpoint = {
  text: string;
  origin: string;
  /** Minutes with events. */
  size: number;
  root: Uint8Array<ArrayBuffer>;
};

const form =
  /^(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n\n(?:— [^ \n]+ [A-Za-z0-9+/=]+\n)+$/u;

/** @param text as it is served, or as somebody pasted it: spaces around it do no harm */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const whole = `${text.trim()}\n`;
  const { origin, size, root } = form.exec(whole)?.groups ?? {};
  if (origin === undefined || size === undefined || root === undefined) return undefined;
  return { text: whole, origin, size: Number(size), root: bytesOf(root) };
}

/** @throws {DOMException} if the text is not base64 */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
