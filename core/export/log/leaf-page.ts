import { hash } from 'node:crypto';
import { bytesOfHash, rootOf } from './merkle-tree.ts';
import { hashOfEvent, type EventLeaf } from './leaf.ts';

/** A leaf of a minute. One whose event was erased has only its hash. */
export type StoredLeaf = (EventLeaf & { hash: Buffer }) | { hash: Buffer };

/**
 * Leaves of a page. A power of two: the tree of a minute is then that of its pages' roots, so a proof needs one page. It has
 * 78 KB, and a minute of a million events an hour has 17 of them.
 */
export const leavesOfPage = 1_024;

/** Bytes of a leaf in a page: the id, the digest, and what names the event's item. */
const idBytes = 36;
const itemBytes = 8;
const leafBytes = idBytes + bytesOfHash + itemBytes;

/** Zeros in place of the id: the digest is then the hash of the leaf. */
const erasedId = '\0'.repeat(idBytes);

/** Names an item of the events table among those of a tenant, by its sequence. */
export type ItemName = string;
export const itemNameOf = (sequence: string): ItemName =>
  hash('sha256', sequence, 'buffer').subarray(0, itemBytes).toString('hex');

/** A leaf that is written, with the item that its event is in. */
export type NewLeaf = EventLeaf & { item: ItemName };

/** Leaves as they are stored. */
export const encodePage = (leaves: readonly NewLeaf[]): Buffer =>
  Buffer.concat(leaves.map(({ eventId, digest, item }) => encode(eventId, digest, item)));

const encode = (eventId: string, digest: Buffer, item: ItemName): Buffer =>
  Buffer.concat([Buffer.from(eventId, 'latin1'), digest, Buffer.from(item, 'hex')]);

/** Leaves of a page, in their order. */
export class LeafPage {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  get size(): number {
    return this.#bytes.length / leafBytes;
  }

  leaves(): StoredLeaf[] {
    return Array.from({ length: this.size }, (_, index) => this.#leaf(index));
  }

  /** The items whose events are in the page. */
  itemNames(): ItemName[] {
    return Array.from({ length: this.size }, (_, index) =>
      this.#part(index, idBytes + bytesOfHash, itemBytes).toString('hex'),
    );
  }

  /** The position of an event. Events of several aggregates may have the same id. */
  positionOf(eventId: string, item: ItemName): number | undefined {
    const id = eventId.toLowerCase();
    const names = this.itemNames();
    const position = this.leaves().findIndex(
      (leaf, index) => names[index] === item && 'eventId' in leaf && leaf.eventId.toLowerCase() === id,
    );
    return position === -1 ? undefined : position;
  }

  /** The position of a leaf, which may have only its hash. */
  positionOfHash(hash: Uint8Array): number | undefined {
    const position = this.leaves().findIndex((leaf) => leaf.hash.equals(hash));
    return position === -1 ? undefined : position;
  }

  /** The first id that is left, in lower case. */
  first(): string | undefined {
    const leaf = this.leaves().find((one) => 'eventId' in one);
    return leaf && 'eventId' in leaf ? leaf.eventId.toLowerCase() : undefined;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The same page without what is known of a leaf beside its hash. */
  without(index: number): LeafPage {
    const bytes = Buffer.from(this.#bytes);
    encode(erasedId, this.#leaf(index).hash, '0'.repeat(2 * itemBytes)).copy(bytes, index * leafBytes);
    return new LeafPage(bytes);
  }

  #leaf(index: number): StoredLeaf {
    const eventId = this.#part(index, 0, idBytes).toString('latin1');
    const digest = this.#part(index, idBytes, bytesOfHash);
    if (eventId === erasedId) return { hash: digest };
    return { eventId, digest, hash: hashOfEvent({ eventId, digest }) };
  }

  #part(index: number, from: number, length: number): Buffer {
    const begin = index * leafBytes + from;
    return this.#bytes.subarray(begin, begin + length);
  }
}

/** A page that is written, with what finds a leaf in it. */
export type NewPage = { first: string; root: Buffer; bytes: Buffer };

/** The pages of a minute's leaves, which are in their order. */
export function pagesOf(leaves: readonly NewLeaf[]): NewPage[] {
  const pages: NewPage[] = [];
  for (let from = 0; from < leaves.length; from += leavesOfPage) {
    const some = leaves.slice(from, from + leavesOfPage);
    const root = rootOf(some.map(hashOfEvent));
    pages.push({ first: some[0]?.eventId.toLowerCase() ?? '', root, bytes: encodePage(some) });
  }
  return pages;
}
