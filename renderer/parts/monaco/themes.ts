import type { editor } from 'monaco-editor/editor';

/** Brackets in rainbow colours would outshout the colours of the diff. */
const plainBrackets = (color: string): Record<string, string> =>
  Object.fromEntries([1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, color]));

const plain = (
  base: 'vs' | 'vs-dark' | 'hc-black',
  colors: Record<string, string>,
  rules: editor.ITokenThemeRule[] = [],
): editor.IStandaloneThemeData => ({ base, inherit: true, rules, colors });

/** The base theme's own are too pale on the green and red of a diff (AA asks for 4.5). */
const darkerOnTints: editor.ITokenThemeRule[] = [
  { token: 'comment', foreground: '00560f' },
  { token: 'type', foreground: '175768' },
  { token: 'number', foreground: '06603f' },
];

/** As above, where the ground is dark. */
const lighterOnTints: editor.ITokenThemeRule[] = [
  { token: 'comment', foreground: '8fc07a' },
  { token: 'keyword', foreground: '86bdf5' },
  { token: 'keyword.flow', foreground: 'd9a6d5' },
  { token: 'tag', foreground: '86bdf5' },
  { token: 'constant', foreground: '86bdf5' },
  { token: 'regexp', foreground: 'eba8a8' },
  { token: 'string', foreground: 'e0aa8f' },
  { token: 'attribute.value', foreground: 'e0aa8f' },
  { token: 'number.hex', foreground: '7fcfb6' },
];

/** Of the high-contrast theme: 7 on the tints of a diff, as in the review (`theme/diff.css`), for all that its base names. */
const brightOnTints: editor.ITokenThemeRule[] = Object.entries({
  d6d6d6: ['comment', 'operator.sql', 'operator.swift'],
  ffb3f7: ['keyword', 'keyword.flow', 'tag', 'tag.id.pug', 'tag.class.pug', 'metatag', 'metatag.html', 'metatag.xml'],
  '9dffc0': ['string', 'string.sql', 'string.value', 'attribute.value', 'meta.tag', 'regexp'],
  a8d4ff: ['number', 'constant', 'annotation', 'predefined.sql'],
  b8dcff: ['attribute.name', 'variable', 'metatag.content.html', 'key', 'string.key'],
  ffd79a: ['type'],
  ffc4c4: ['invalid'],
}).flatMap(([foreground, tokens]) => tokens.map((token) => ({ token, foreground })));

/** The editor's colours; its theme format takes no CSS variables, so these repeat the tokens of `theme/tokens.css`. */
export const themes: Readonly<Record<string, editor.IStandaloneThemeData>> = {
  'vise-dark': plain(
    'vs-dark',
    {
      ...plainBrackets('#e3e5e8'),
      'editor.background': '#16181b',
      'editor.foreground': '#e3e5e8',
      'editorGutter.background': '#16181b',
      'editorLineNumber.foreground': '#6c727b',
      'editorLineNumber.activeForeground': '#a0a6ae',
      'diffEditor.insertedTextBackground': '#2ea04338',
      'diffEditor.removedTextBackground': '#f8514938',
      'diffEditor.insertedLineBackground': '#2ea04322',
      'diffEditor.removedLineBackground': '#f8514920',
      'diffEditorGutter.insertedLineBackground': '#2ea04333',
      'diffEditorGutter.removedLineBackground': '#f8514930',
      'diffEditor.diagonalFill': '#26292e',
      'diffEditor.unchangedRegionBackground': '#1d1f23',
      'diffEditor.unchangedRegionForeground': '#a0a6ae',
      'diffEditor.border': '#26292e',
      'editorWidget.background': '#1d1f23',
      'editorWidget.border': '#3d424a',
      focusBorder: '#3b9eff',
    },
    lighterOnTints,
  ),
  'vise-light': plain(
    'vs',
    {
      ...plainBrackets('#1c2024'),
      'editor.background': '#ffffff',
      'editor.foreground': '#1c2024',
      'editorGutter.background': '#ffffff',
      'editorLineNumber.foreground': '#6b6e78',
      'diffEditor.insertedTextBackground': '#2da44e30',
      'diffEditor.removedTextBackground': '#cf222e2a',
      'diffEditor.insertedLineBackground': '#2da44e1c',
      'diffEditor.removedLineBackground': '#cf222e16',
      'diffEditorGutter.insertedLineBackground': '#2da44e2c',
      'diffEditorGutter.removedLineBackground': '#cf222e24',
      'diffEditor.diagonalFill': '#e8e8ec',
      'diffEditor.unchangedRegionBackground': '#f9f9fb',
      'diffEditor.unchangedRegionForeground': '#60646c',
      'diffEditor.border': '#e0e1e6',
      focusBorder: '#0090ff',
    },
    darkerOnTints,
  ),
  'vise-contrast': plain(
    'hc-black',
    {
      ...plainBrackets('#ffffff'),
      'editor.background': '#000000',
      'editor.foreground': '#ffffff',
      'diffEditor.insertedTextBackground': '#00ff6a2e',
      'diffEditor.removedTextBackground': '#ff505040',
      'diffEditor.insertedLineBackground': '#00ff6a1a',
      'diffEditor.removedLineBackground': '#ff505024',
      focusBorder: '#ffd84d',
    },
    brightOnTints,
  ),
};

export function themeName(rootClass: string): string {
  if (/\bcontrast\b/.test(rootClass)) return 'vise-contrast';
  return /\bdark\b/.test(rootClass) ? 'vise-dark' : 'vise-light';
}
