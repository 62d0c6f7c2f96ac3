const colours: Readonly<Record<string, string>> = {
  red: '#e5484d',
  green: '#46a758',
  yellow: '#d6a60c',
  blue: '#4f83e0',
  cyan: '#12a594',
  d: '#8b8d98',
};
const styles: Readonly<Record<string, string>> = { b: 'font-weight="bold"', i: 'font-style="italic"' };

const letterWidth = 8.4;
const lineHeight = 20;
const edge = 16;

/** A text picture of a terminal (`<green,b>…</>`), as the tests of the command line keep them, drawn for a page of docs/. */
export function terminalPicture(text: string): string {
  const lines = text.trimEnd().split('\n');
  const widest = Math.max(...lines.map((line) => line.replaceAll(/<[a-z,]*>|<\/>/g, '').length));
  const width = Math.ceil(widest * letterWidth) + 2 * edge;
  const height = lines.length * lineHeight + 2 * edge;
  const rows = lines.map((line, at) => {
    const y = edge + (at + 0.75) * lineHeight;
    return `<text x="${edge}" y="${y}" xml:space="preserve">${spansOf(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#edeef0">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#18191b"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function spansOf(line: string): string {
  return line
    .split(/(<[a-z,]+>[^]*?<\/>)/)
    .map((part) => {
      const [, looks = '', inner] = /^<([a-z,]+)>([^]*)<\/>$/.exec(part) ?? [];
      const attributes = looks
        .split(',')
        .map((look) => styles[look] ?? (colours[look] ? `fill="${colours[look]}"` : ''));
      const shown = escaped(inner ?? part);
      return inner === undefined
        ? shown
        : `<tspan ${attributes.filter((one) => one !== '').join(' ')}>${shown}</tspan>`;
    })
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
