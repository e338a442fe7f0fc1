import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Lets stack traces name the sources of a minified bundle. Its map is read for the first trace: Node.js itself would read it
 * with the bundle, which takes a quarter of the time to load a Lambda, and most of them never show a trace.
 *
 * @param bundle its URL; without a map beside it, traces stay as they are
 */
export function traceSources(bundle: string): void {
  const mapUrl = new URL(`${bundle}.map`);
  if (!existsSync(mapUrl)) return;
  let sources: Sources | undefined;
  Error.prepareStackTrace = (error, frames) => {
    sources ??= new Sources(bundle, mapUrl);
    return [Error.prototype.toString.call(error), ...sources.framesOf(frames)].join('\n    at ');
  };
}

/** Its type lacks the method that writes it. */
type Frame = NodeJS.CallSite & { toString(): string };

/** With the name that the sources have for what is there. */
type NamedMapping = SourceMapping & { name?: string };

/** The sources of a bundle, by their places in it. */
class Sources {
  readonly #bundle: string;
  readonly #mapUrl: URL;
  readonly #map: SourceMap;

  constructor(bundle: string, mapUrl: URL) {
    this.#bundle = bundle;
    this.#mapUrl = mapUrl;
    this.#map = new SourceMap(JSON.parse(readFileSync(mapUrl, 'utf8')) as SourceMapPayload);
  }

  framesOf(frames: readonly Frame[]): string[] {
    return frames.map((frame, index) => {
      const at = this.#find(frame);
      return at ? this.#inSource(frame, at, this.#find(frames[index + 1])?.name) : frame.toString();
    });
  }

  #find(frame: Frame | undefined): NamedMapping | undefined {
    if (frame?.getFileName() !== this.#bundle) return undefined;
    const entry = this.#map.findEntry((frame.getLineNumber() ?? 1) - 1, (frame.getColumnNumber() ?? 1) - 1);
    return 'originalSource' in entry ? entry : undefined;
  }

  /** @param called the name by which the next frame calls the function of this one */
  #inSource(frame: Frame, at: NamedMapping, called: string | undefined): string {
    const path = fileURLToPath(new URL(at.originalSource, this.#mapUrl));
    const minified = `${this.#bundle}:${frame.getLineNumber() ?? 1}:${frame.getColumnNumber() ?? 1}`;
    const placed = frame
      .toString()
      .replace(minified, () => `${path}:${at.originalLine + 1}:${at.originalColumn + 1}`);
    const name = frame.getFunctionName();
    return name === null || called === undefined ? placed : placed.replace(`${name} (`, () => `${called} (`);
  }
}
