import { expect, test } from 'vitest';
import { notesOf, problemOf } from './release.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.0 (2026-01-02)\n\n- old\n\n## 1.2.0-beta\n\n- older\n';

test('the notes of a release are its section of the changelog', () => {
  expect(notesOf(changelog, '1.2.0')).toBe('- old');
  expect(notesOf(changelog, 'Unreleased')).toBe('- new');
  expect(notesOf(changelog, '1.2')).toBeUndefined();
});

test.each([
  ['v1.2.0', '1.2.0', 'abc, 2026-01-02', undefined],
  ['v1.3.0', '1.2.0', 'abc, 2026-01-02', 'The tag v1.3.0 is not v1.2.0, the version of package.json.'],
  ['v1.3.0', '1.3.0', 'abc, 2026-01-02', 'CHANGELOG.md has no section "## 1.3.0": give what is Unreleased that name.'],
  ['v1.2.0', '1.2.0', 'abc, 2026-01-02, changed', 'Files differ from the commit.'],
  [undefined, '1.2.0', 'abc, 2026-01-02, changed', undefined],
])('the tag %s of version %s, built of %s: %s', (tag, version, mark, problem) => {
  expect(problemOf(tag, { version, changelog, mark })).toBe(problem);
});
