import { describe, expect, test } from 'vitest';
import { compareVersions, isSafeVersion, pickVersion } from './programVersion.ts';

describe('versions', () => {
  test('are ordered by their numbers, with pre-releases below and words at the bottom', () => {
    const ordered = [
      'alpha',
      'dev',
      '0.9',
      '1.9',
      '1.10',
      '2.0.0-alpha',
      '2.0.0-rc.1',
      '2.0.0-rc.2',
      '2.0.0-rc.10',
      '2',
      '2.0.0.1',
      '10',
    ];
    expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  });

  test('do not differ by build metadata or missing parts', () => {
    expect([compareVersions('1.2.3+a', '1.2.3+b'), compareVersions('1', '1.0.0')]).toEqual([0, 0]);
  });

  test.each([
    [['1.0', '1.2'], '1.2', { version: '1.2', exact: true }],
    [['1.9', '1.10', '3.0'], '2.0', { version: '1.10', exact: false }],
    [['1.0', '2.0'], '3.0', { version: '2.0', exact: false }],
    [['4.0', '5.0'], '3.0', { version: '4.0', exact: false }],
    [['dev', '2.0'], '1.0', { version: 'dev', exact: false }],
    [['dev'], 'dev', { version: 'dev', exact: true }],
    [['1.0'], 'dev', { version: '1.0', exact: false }],
    [[], '1.0', undefined],
  ])('of %j for %s', (known, installed, picked) => {
    expect(pickVersion(known, installed)).toEqual(picked);
  });

  test.each(['../../x', '/etc', '.hidden', '', 'a/b', 'a'.repeat(65), 'a\0'])(
    '%j may not become a file name',
    (version) => {
      expect(isSafeVersion(version)).toBe(false);
    },
  );
});
