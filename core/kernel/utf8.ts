/** Keeps a byte order mark, which is then rejected as JSON (RFC 8259, section 8.1). */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of the bytes. A lenient decoder puts U+FFFD for what it cannot read: two messages become one, and neither is what
 * was sent.
 *
 * @throws {TypeError} for bytes that are not UTF-8
 */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);
