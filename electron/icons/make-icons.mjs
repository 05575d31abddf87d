// `npm run icons`: makes the app's icons from the pages' logo. Needs rsvg-convert (Debian: librsvg2-bin); the results
// are committed, because package builders lack it. ICO and ICNS are containers of PNG files, written here.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const mark = fs.readFileSync(path.join(import.meta.dirname, '..', '..', 'renderer', 'public', 'mark.svg'), 'utf8');
const drawing = mark.replace(/^<svg[^>]*>/, '').replace('</svg>', '');

/** The logo on paper: transparent, it would vanish on dark docks. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x=".75" y=".75" width="22.5" height="22.5" rx="4.8" fill="#f6f5f0" stroke="#d8d5c8" stroke-width=".3"/><g transform="translate(12 12) scale(.76) translate(-11.6 -12.3)" fill="none" stroke="#1c1f1b" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round">${drawing}</g></svg>`;

const drawn = (pixels) =>
  execFileSync('rsvg-convert', ['--width', String(pixels), '--height', String(pixels)], { input: icon });

/** Windows: a directory of 16 bytes for each picture, then the pictures (ICONDIR; PNG inside since Vista). */
function ico(sizes) {
  const pictures = sizes.map(drawn);
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let at = head.length;
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    head.writeUInt8(sizes[index] % 256, entry);
    head.writeUInt8(sizes[index] % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(picture.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}

/** macOS: `icns`, its length, then each picture with its type and length. */
function icns(types) {
  const parts = Object.entries(types).map(([type, pixels]) => {
    const picture = drawn(pixels);
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32BE(picture.length + 8, 4);
    return Buffer.concat([head, picture]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 0, 'latin1');
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 4);
  return Buffer.concat([head, ...parts]);
}

const write = (name, bytes) => {
  fs.writeFileSync(path.join(import.meta.dirname, name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
};

write('icon.png', drawn(512));
write('icon.ico', ico([16, 24, 32, 48, 64, 128, 256]));
write(
  'icon.icns',
  icns({ icp4: 16, icp5: 32, icp6: 64, ic07: 128, ic08: 256, ic09: 512, ic11: 32, ic12: 64, ic13: 256, ic14: 512 }),
);
