/**
 * A name for the user's next phone, such as "Anna’s phone 2".
 *
 * @param {string} owner
 * @param {string[]} names those of the phones that are there
 */
export function nameOfNextPhone(owner, names) {
  const [first = owner] = owner.split(' ');
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${first}’s phone` : `${first}’s phone ${number}`;
    if (!names.includes(name)) return name;
  }
}
