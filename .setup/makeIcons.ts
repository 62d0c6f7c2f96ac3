import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

/**
 * Draws all icons of the desktop anew: `node .setup/makeIcons.ts` (with `VISE_CHROMIUM=PROGRAM`). Their sources are the few
 * shapes below; what it writes to resources/icons is committed, so that no build needs a browser.
 */
const folder = join(import.meta.dirname, '..', 'resources', 'icons');

/** Two jaws and the piece between them, on a field of 32. */
const jaws = '<path d="M6 8h6v16H6zM20 8h6v16h-6z" fill="#70b8ff"/><path d="M13 14h6v4h-6z" fill="#ffca16"/>';
const framed = (from: number, radius: number): string => {
  const size = 32 - 2 * from;
  const scale = size / 32;
  return `<rect x="${from}" y="${from}" width="${size}" height="${size}" rx="${radius}" fill="#1d2430"/><g transform="translate(${from} ${from}) scale(${scale})">${jaws}</g>`;
};
/** A full square for Linux and Windows; macOS leaves an edge of a tenth and rounds more (its icon grid of 1024 and 824). */
const square = framed(0, 7);
const mac = framed(3.125, 5.8);
/** macOS colours a template itself: shape alone. */
const template = '<path d="M4 6h8v20H4zM20 6h8v20h-8zM13.5 13h5v6h-5z"/>';

const browser = await chromium.launch({ executablePath: process.env['VISE_CHROMIUM'], args: ['--no-sandbox'] });
const page = await browser.newPage();

async function draw(shapes: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${size}" height="${size}">${shapes}</svg>`,
  );
  return page.screenshot({ omitBackground: true });
}

/** Windows: a head, a directory of 16 bytes an image, then the images as PNG. */
function ico(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let at = head.length;
  for (const [index, { size, png }] of images.entries()) {
    const entry = 6 + 16 * index;
    head.writeUInt8(size % 256, entry); // 256 is written as 0
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** macOS: blocks of a type (which tells the size), a length and a PNG. */
function icns(images: readonly { readonly type: string; readonly png: Buffer }[]): Buffer {
  const blocks = images.map(({ type, png }) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(png.length + 8, 4);
    return Buffer.concat([head, png]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + blocks.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...blocks]);
}

mkdirSync(join(folder, 'linux'), { recursive: true });
for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024])
  writeFileSync(join(folder, 'linux', `${size}x${size}.png`), await draw(square, size));
const windows = [];
for (const size of [16, 24, 32, 48, 64, 128, 256]) windows.push({ size, png: await draw(square, size) });
writeFileSync(join(folder, 'icon.ico'), ico(windows));
const types: readonly (readonly [string, number])[] = [
  ['icp4', 16],
  ['ic11', 32],
  ['icp5', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];
const apple = [];
for (const [type, size] of types) apple.push({ type, png: await draw(mac, size) });
writeFileSync(join(folder, 'icon.icns'), icns(apple));
writeFileSync(join(folder, 'tray.png'), await draw(square, 32));
writeFileSync(join(folder, 'trayTemplate.png'), await draw(template, 18));
writeFileSync(join(folder, 'trayTemplate@2x.png'), await draw(template, 36));
await browser.close();
