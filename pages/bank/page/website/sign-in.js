import { byId, fill, h, icon } from '../dom.js';
import * as api from './api.js';

/** @import { User } from './api.js' */

/** The first screen: who do you want to be? */
export class SignIn {
  /** @param {() => Promise<void>} onSignedIn */
  constructor(onSignedIn) {
    this.onSignedIn = onSignedIn;
    this.choices = byId('users');
    this.problem = byId('sign-in-problem');
  }

  /** @param {readonly User[]} users */
  draw(users) {
    this.problem.hidden = true;
    fill(this.choices, ...users.map((user) => h('li', {}, this.#button(user))));
  }

  /** @param {User} user */
  #button({ userId, name, about }) {
    return h(
      'button',
      { type: 'button', class: 'button user', 'data-user': userId, click: () => void this.#signIn(userId) },
      h('span', { class: 'disc good avatar', 'aria-hidden': 'true' }, name.charAt(0)),
      h('span', { class: 'column' }, h('strong', {}, name), h('span', { class: 'muted' }, about)),
      icon('arrow'),
    );
  }

  /** @param {string} userId */
  async #signIn(userId) {
    this.problem.hidden = true;
    try {
      await api.signIn(userId);
      await this.onSignedIn();
    } catch (error) {
      this.problem.hidden = false;
      fill(this.problem, error instanceof Error ? error.message : String(error));
    }
  }
}
