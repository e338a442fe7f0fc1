import type { Effect } from '../../../../pages/app/src/state/effects.ts';
import type { Message } from '../../../../pages/app/src/state/messages.ts';
import { initialState, type State } from '../../../../pages/app/src/state/state.ts';
import { update } from '../../../../pages/app/src/state/update.ts';
import { accountOf, challengeOf, now } from '../gallery/states.ts';

/** The state after each message, and the effects of all of them. Time passes only when told. */
export class World {
  state: State;
  now = now;
  effects: Effect[] = [];

  constructor(state: Partial<State> = {}) {
    this.state = {
      ...initialState(now, { screen: 'home' }),
      phase: 'ready',
      baseUrl: 'https://omi.example.org',
      ...state,
    };
  }

  send(...messages: Message[]): this {
    for (const message of messages) {
      const [state, effects] = update(this.state, message, this.now);
      this.state = state;
      this.effects.push(...effects);
    }
    return this;
  }

  pass(milliseconds: number): this {
    this.now += milliseconds;
    return this;
  }

  /** The effects since the last call. */
  taken(): Effect[] {
    const { effects } = this;
    this.effects = [];
    return effects;
  }

  takenOf<Type extends Effect['type']>(type: Type): Extract<Effect, { type: Type }>[] {
    return this.taken().filter((effect): effect is Extract<Effect, { type: Type }> => effect.type === type);
  }
}

export const phone = accountOf('phone');

/** A device with one open challenge that expires after 105 seconds. */
export const worldWithChallenge = (
  challenge: Parameters<typeof challengeOf>[1] = {},
  account: Parameters<typeof accountOf>[1] = {},
): World => {
  const world = new World({ accounts: [accountOf('phone', account)] });
  world.send({ type: 'fetched', deviceId: 'phone', challenges: [challengeOf('one', challenge)] });
  world.taken();
  return world;
};
