import { describe, expect, test } from '@jest/globals';
import { isAbout } from '../../cli/users/is-about.ts';

const text = (metadata: object, payload?: object): string =>
  JSON.stringify({ metadata: { type: 'SomethingEvent', ...metadata }, payload });

describe('an event is about a user', () => {
  test.each([
    ['as userId', text({}, { userId: 'alice' })],
    ['inside of something', text({}, { order: { by: [{ userId: 'alice' }] } })],
    ['as the agent', text({ agent: 'alice' })],
    ['among the members of a group', text({}, { members: ['bob', 'alice'], confirmedBy: [] })],
  ])('that it names %s', (_, event) => {
    expect(isAbout(event, 'alice')).toBe(true);
    expect(isAbout(event, 'ali')).toBe(false);
  });

  test.each([
    ['has the id as something else', text({ category: 'alice' }, { name: 'alice', tags: ['alice'] })],
    ['names somebody else', text({}, { userId: 'alice2', note: 'alice' })],
    ['tells of the erasure', text({ type: 'UserErasedEvent', agent: 'alice' }, { userId: 'alice' })],
  ])('not if it %s', (_, event) => {
    expect(isAbout(event, 'alice')).toBe(false);
  });

  test('whatever characters the id has', () => {
    const userId = 'a"b\\c\u2028é';
    expect(isAbout(text({}, { userId }), userId)).toBe(true);
  });
});
