/** It reads, writes and pushes what `send-to-device` does; only the path differs. */
export { environment, lambda } from '../send-to-device/definition.ts';
