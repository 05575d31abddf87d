/** Writes address labels as PDF, at the measures of the sheets. Print at 100 %, not "fit to page". */
import fs from 'node:fs';
import { LabelFont } from './label-font.ts';
import type { LabelSheet } from './label-sheets.ts';
import type { MailRow } from './mail-merge.ts';
import { pdfInMemory } from './pdf-file.ts';
import { type Ink, PdfPage } from './pdf-page.ts';

/** Margin in points, since printers are off by up to this much. */
const margin = 7;
const lineHeight = 1.25;
const leastSize = 6;
/** Least font size, as a share of the sheet's; below it a line is broken in two instead. */
const leastShare = 0.75;
const sizeStep = 0.25;

/** The lines of an address; a foreign one keeps city and code in their given order. */
export function labelLines({ name, address, city, state, zip }: MailRow): string[] {
  const place = [[city, state].filter(Boolean).join(', '), zip].filter(Boolean).join(' ');
  return [name, ...address.split(/[\r\n]+/), place].map((line) => line.trim()).filter((line) => line !== '');
}

interface Counts {
  cut: number;
  missing: Set<string>;
}

/** Breaks lines between words; a too wide word gets its own line. */
function brokenLines(lines: readonly string[], font: LabelFont, width: number): string[] {
  return lines.flatMap((line) => {
    const broken: string[] = [];
    for (const word of line.split(/\s+/)) {
      const longer = broken.length === 0 ? word : `${broken.at(-1)} ${word}`;
      if (broken.length > 0 && font.width(longer) > width) broken.push(word);
      else broken.splice(-1, 1, longer);
    }
    return broken;
  });
}

/** The largest font size at which the broken lines fit; null if none. */
function fitBroken(lines: readonly string[], font: LabelFont, sheet: LabelSheet, room: number) {
  for (let size = sheet.fontSize; size >= leastSize; size -= sizeStep) {
    const broken = brokenLines(lines, font, room / size);
    const isLow = size * lineHeight * broken.length <= sheet.height - 2 * margin;
    if (isLow && broken.every((line) => font.width(line) * size <= room)) return { size, lines: broken };
  }
  return null;
}

/** The largest font size at which all lines fit; long lines are broken, and as a last resort cut at the smallest size. */
function fitLines(
  lines: readonly string[],
  font: LabelFont,
  sheet: LabelSheet,
  counts: Counts,
): { size: number; lines: string[] } {
  const shown = lines.map((line) => {
    const { text, missing } = font.shown(line);
    for (const character of missing) counts.missing.add(character);
    return text;
  });
  const room = sheet.width - 2 * margin;
  const widest = Math.max(...shown.map((line) => font.width(line)));
  const byHeight = (sheet.height - 2 * margin) / (lineHeight * shown.length);
  const size = Math.max(leastSize, Math.min(sheet.fontSize, room / widest, byHeight));
  if (size >= sheet.fontSize * leastShare) return { size, lines: shown };
  const broken = fitBroken(shown, font, sheet, room);
  if (broken && broken.size > size) return broken;
  if (size * widest <= room + 0.01) return { size, lines: shown };
  counts.cut++;
  return { size, lines: shown.map((line) => font.cut(line, room / size)) };
}

const black: Ink = [0, 0, 0];

function drawLabel(
  page: PdfPage,
  [x, top]: readonly [number, number],
  { size, lines }: { size: number; lines: readonly string[] },
): void {
  for (const [i, line] of lines.entries())
    page.text(x, top + size * (0.95 + lineHeight * i), size, line, { ink: black });
}

/** @returns sentences about what did not fit */
export async function writeLabels(
  rows: readonly MailRow[],
  sheet: LabelSheet,
  { title, madeAt }: { readonly title: string; readonly madeAt: Date },
  filePath: string,
): Promise<string[]> {
  const { file, bytes } = pdfInMemory();
  const font = LabelFont.load();
  const fontRef = font.embed(file);
  const counts: Counts = { cut: 0, missing: new Set() };
  const perPage = sheet.columns * sheet.rows;
  for (let from = 0; from < Math.max(1, rows.length); from += perPage) {
    const page = new PdfPage(font, sheet.paper.size);
    for (const [i, row] of rows.slice(from, from + perPage).entries()) {
      const left = sheet.left + (i % sheet.columns) * sheet.columnStep + margin;
      const fitted = fitLines(labelLines(row), font, sheet, counts);
      const used = fitted.size * lineHeight * fitted.lines.length;
      const top = sheet.top + Math.floor(i / sheet.columns) * sheet.rowStep + (sheet.height - used) / 2;
      drawLabel(page, [left, top], fitted);
    }
    page.addTo(file, fontRef);
  }
  file.finish({ title, madeAt });
  await fs.promises.writeFile(filePath, bytes());
  return notesOf(counts);
}

function notesOf({ cut, missing }: Counts): string[] {
  const letters = [...missing].slice(0, 10).join(' ');
  return [
    ...(cut > 0 ? [`${cut === 1 ? '1 address is' : `${cut} addresses are`} too long for a label and cut (…).`] : []),
    ...(missing.size > 0
      ? [
          `The label font lacks ${missing.size === 1 ? 'a character' : `${missing.size} characters`} (${letters}); shown as ?. CSV and XLSX have them.`,
        ]
      : []),
  ];
}
