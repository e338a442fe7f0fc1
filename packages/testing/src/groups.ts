import type { Group, GroupRequest } from '@omi/website';
import type { Question } from './questions.ts';
import { digestOf } from './signing-key.ts';
import type { Site } from './site.ts';

export type AskedGroup = GroupRequest & { nonce: string };

const defaultLifetimeSeconds = 120;

export const groupIdOf = ({ tenantId }: Site, { nonce, required, members }: AskedGroup): string =>
  digestOf([tenantId, nonce, required, ...[...members].sort()].join('\n'));

type End = { status: Exclude<Group['status'], 'pending'>; at?: number };

/** Several users who are asked, of whom some must confirm. */
export class VotingGroup {
  readonly asked: AskedGroup;
  /** The votes of those who can be asked. */
  readonly votes: ReadonlyMap<string, Question>;
  readonly #site: Site;
  readonly #createdAt: number;
  readonly #expiresAt: number;
  #end: End | undefined;

  constructor(site: Site, asked: AskedGroup, votes: ReadonlyMap<string, Question>) {
    this.#site = site;
    this.asked = asked;
    this.votes = votes;
    this.#createdAt = site.clock.now();
    this.#expiresAt = this.#createdAt + (asked.expiresIn ?? defaultLifetimeSeconds) * 1000;
  }

  get status(): Group['status'] {
    this.settle();
    return this.#end?.status ?? 'pending';
  }

  /** The votes come in the order in which their users answer, up to the one that decides. */
  settle(): void {
    if (this.#end) return;
    const inOrder = [...this.votes.values()].sort((a, b) => a.answersAt - b.answersAt);
    for (const vote of inOrder) {
      vote.settle();
      const status = this.#decision();
      if (status) {
        this.#close(status, vote.endedAt ?? this.#site.clock.now());
        return;
      }
    }
    if (this.#site.clock.now() >= this.#expiresAt) this.#end = { status: 'expired' };
  }

  withdraw(): void {
    const at = this.#site.clock.now();
    for (const vote of this.votes.values()) if (vote.isPending) vote.withdraw();
    this.#end = { status: 'cancelled', at };
  }

  #close(status: 'approved' | 'denied', at: number): void {
    for (const vote of this.votes.values()) if (vote.isPending) vote.decideWithout(at);
    this.#end = { status, at };
  }

  #decision(): 'approved' | 'denied' | undefined {
    const { members, required } = this.asked;
    const ends = [...this.votes.values()].map((vote) => vote.ended);
    const count = (...statuses: string[]): number =>
      ends.filter((status) => status !== undefined && statuses.includes(status)).length;
    if (count('confirmed') >= required) return 'approved';
    const lost = members.length - this.votes.size + count('denied', 'cancelled');
    return lost > members.length - required ? 'denied' : undefined;
  }

  view(): Group {
    const { nonce, required, members } = this.asked;
    const { status, at } = this.#end ?? { status: 'pending' as const };
    return {
      ...{ nonce, groupId: groupIdOf(this.#site, this.asked), status, required },
      votes: members.map((userId) => this.votes.get(userId)?.voteView() ?? this.#failed(userId)),
      createdAt: new Date(this.#createdAt).toISOString(),
      ...(at !== undefined && { decidedAt: new Date(at).toISOString() }),
      expiresAt: new Date(this.#expiresAt).toISOString(),
    };
  }

  /** The vote of somebody who cannot be asked. */
  #failed(userId: string): Group['votes'][number] {
    const [any] = this.votes.values();
    if (!any) throw new Error('A group has at least one vote.');
    const { deviceId: _deviceId, deviceIds: _deviceIds, evidence: _evidence, ...vote } = any.voteView();
    const { deviceKey: _deviceKey, receipt: _receipt, ...rest } = vote;
    return {
      ...rest,
      userId,
      challengeId: digestOf(`${groupIdOf(this.#site, this.asked)}\n${userId}`),
      status: 'failed',
      reason: 'not_reachable',
      delivery: 'unreachable',
      decidedAt: new Date(this.#createdAt).toISOString(),
    };
  }
}
