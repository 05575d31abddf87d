import { describe, expect, test } from 'vitest';
import { aliquotAcres, aliquotText } from '../../engine/spec/plss/aliquot.ts';
import { parseLegalDescription, tractText } from '../../engine/spec/plss/legal-description.ts';
import { meridianOf, meridians } from '../../engine/spec/plss/meridians.ts';
import { seededRandom } from '../geo/shapes.ts';

/** Tracts in one spelling, with their nominal acres: a section of 640 acres, halved and quartered by hand. */
const read = (text: string) =>
  parseLegalDescription(text).tracts.map((tract) => `${tractText(tract)} = ${tract.acres ?? '?'}`);
const unread = (text: string) => parseLegalDescription(text).unread.map(({ at, words }) => [at, words]);
const doubts = (text: string) => parseLegalDescription(text).doubts.map(({ at, words }) => [at, words]);

describe('a legal description', () => {
  test.each([
    // 640 ÷ 4 ÷ 4
    ['NE1/4 SW1/4 S12 T5N R3W', ['NE¼SW¼, S12 T5N R3W = 40']],
    // 640 ÷ 4 ÷ 2
    ['N½NE¼ Sec. 12, T. 5 N., R. 3 W., 6th PM', ['N½NE¼, S12 T5N R3W, 6th PM = 80']],
    ['Lots 1 & 2, Sec 4', ['Lots 1, 2, S4 = ?']],
    ['T5N R3W S12', ['S12 T5N R3W = 640']],
    ['t5nr3w', ['T5N R3W = 23040']],
    ['12-5N-3W', ['S12 T5N R3W = 640']],
    ['S12-T5N-R3W', ['S12 T5N R3W = 640']],
    ['5N-3W-12', ['S12 T5N R3W = 640']],
    ['5N 3W 12', ['S12 T5N R3W = 640']],
    ['SEC 12 TWP 05N RNG 03W', ['S12 T5N R3W = 640']],
    ['T5½N R3W', ['T5½N R3W = 23040']],
    [
      'The Northeast Quarter of the Southwest Quarter of Section 12, Township 5 North, Range 3 West of the Sixth Principal Meridian',
      ['NE¼SW¼, S12 T5N R3W, 6th PM = 40'],
    ],
    ['East one-half of the Northwest one-quarter, Section 3, T1S, R2E', ['E½NW¼, S3 T1S R2E = 80']],
    ['NENW Sec 7 T10S R22E SLB&M', ['NE¼NW¼, S7 T10S R22E, Salt Lake Meridian = 40']],
    ['E/2 of SW/4 Sec 3 T105N R50W 5th P.M.', ['E½SW¼, S3 T105N R50W, 5th PM = 80']],
    ['W½E½NE¼ S1 T2S R2E, Willamette Meridian', ['W½E½NE¼, S1 T2S R2E, Willamette Meridian = 40']],
    ['Lots 1-4, S2N2 Sec. 5, T1N R1E, Boise Meridian', ['S½N½, Lots 1, 2, 3, 4, S5 T1N R1E, Boise Meridian = ?']],
    ['S2NE4 & SE4NW4 S2 T5N R3W', ['S½NE¼, SE¼NW¼, S2 T5N R3W = 120']],
    [
      'Section 12, Township 5 North, Range 3 West, Principal Meridian, Montana',
      ['S12 T5N R3W, Montana Meridian = 640'],
    ],
    ['S12, T05N, R03W, NW4SE4', ['NW¼SE¼, S12 T5N R3W = 40']],
    ['Section Twelve (12), Township Five (5) North, Range Three (3) West', ['S12 T5N R3W = 640']],
    [
      'The Northeast Quarter of Section Twenty-one, Township Five North, Range Three West of the Sixth Principal Meridian',
      ['NE¼, S21 T5N R3W, 6th PM = 160'],
    ],
    ['SECTIONS ONE (1) AND THIRTY SIX (36), T5N R3W', ['S1 T5N R3W = 640', 'S36 T5N R3W = 640']],
    ['Lots Two (2) and Three (3), Section 4 (4), T5N R3W', ['Lots 2, 3, S4 T5N R3W = ?']],
  ])('reads %s', (text, tracts) => {
    expect(read(text)).toEqual(tracts);
    expect(unread(text)).toEqual([]);
    expect(doubts(text)).toEqual([]);
  });

  test('gives each section its parts, whether they stand before it or behind it', () => {
    expect(read('NE1/4 of Sec 12 and the NW1/4 of Sec. 13, T5N, R3W')).toEqual([
      'NE¼, S12 T5N R3W = 160',
      'NW¼, S13 T5N R3W = 160',
    ]);
    expect(read('T5N R3W Sec 12: NE1/4; Sec 13: ALL')).toEqual(['NE¼, S12 T5N R3W = 160', 'All, S13 T5N R3W = 640']);
    expect(read('Sec 12 & NE1/4 of Sec 13 T5N R3W')).toEqual(['S12 T5N R3W = 640', 'NE¼, S13 T5N R3W = 160']);
    expect(read('Secs 1, 2 and 3 T5N R3W')).toHaveLength(3);
  });

  test('gives each section its township, whether it stands before it or behind it', () => {
    const both = ['S12 T5N R3W = 640', 'S1 T4N R3W = 640'];
    expect(read('Sec 12 T5N R3W and Sec 1 T4N R3W')).toEqual(both);
    expect(read('T5N R3W Sec 12; T4N R3W Sec 1')).toEqual(both);
  });

  test('takes S2 for section 2 where nothing divides it, and for the south half of what follows', () => {
    expect(read('S2 T5N R3W')).toEqual(['S2 T5N R3W = 640']);
    expect(read('S2SE4 S2 T5N R3W')).toEqual(['S½SE¼, S2 T5N R3W = 80']);
  });

  test('says what it does not read, with its place', () => {
    expect(unread('NE1/4 S12 T5N R3W less the north 100 feet')).toEqual([[18, 'less the north 100 feet']]);
    expect(unread('N 300 feet of the NE1/4 Sec 12 T5N R3W')).toEqual([[0, 'N 300 feet']]);
    expect(unread('SW1/4NE1/4')).toEqual([[0, 'SW1/4NE1/4']]);
    expect(unread('T0N R3W')).toEqual([[0, 'T0N']]);
    expect(unread('Lot 3 Block 2 Smith Addition')).toEqual([[0, 'Lot 3 Block 2 Smith Addition']]);
  });

  test('counts no exception as land', () => {
    expect(read('NE1/4 S12 T5N R3W except the N1/2 of it')).toEqual(['NE¼, S12 T5N R3W = 160']);
    expect(read('NE1/4 less W 30 feet, S12 T5N R3W')).toEqual(['NE¼, S12 T5N R3W = 160']);
  });

  test('is no land of the survey by metes and bounds, a plat or a tract', () => {
    for (const text of [
      'Beginning at a point NE 300 feet',
      'Lot 3 Block 2',
      'TR 37 T5N R3W',
      '45 N MAIN ST',
      '12-151',
      '',
      'Sellers',
    ])
      expect(read(text)).toEqual([]);
  });

  test('is doubtful with two single parts and a comma', () => {
    expect(read('NE1/4, SW1/4 S12 T5N R3W')).toEqual(['NE¼, SW¼, S12 T5N R3W = 320']);
    expect(doubts('NE1/4, SW1/4 S12 T5N R3W')).toEqual([[7, 'SW1/4']]);
  });

  test('has sections 1 to 36', () => {
    expect(read('Sec 36 T5N R3W')).toEqual(['S36 T5N R3W = 640']);
    for (const text of ['Sec 37 T5N R3W', 'Sec 0 T5N R3W', '99-5N-3W', 'Secs 35-37 T5N R3W']) {
      expect(read(text).filter((tract) => /S(?:0|37|99|35)/.test(tract))).toEqual([]);
      expect(unread(text)).not.toEqual([]);
    }
  });

  test('takes no part of a lot for a part of the section, nor the lot for whole without saying so', () => {
    expect(read('E½ of Lot 2, Sec 4, T5N R3W')).toEqual(['Lot 2, S4 T5N R3W = ?']);
    expect(unread('E½ of Lot 2, Sec 4, T5N R3W')).toEqual([[0, 'E½']]);
    expect(unread('Sec 4: NW¼ and the N½ of the S½ of Lots 2 & 3, T5N R3W')).toEqual([[19, 'N½ of the S½']]);
    expect(read('E½ & Lot 2, Sec 4, T5N R3W')).toEqual(['E½, Lot 2, S4 T5N R3W = ?']);
  });

  test('reads numbers in words where their figures agree, and nowhere else', () => {
    expect(unread('Section Twelve (13), T5N R3W')).not.toEqual([]);
    expect(read('Section Twelve (13), T5N R3W')).toEqual([]);
    expect(unread('One acre in Section 12 T5N R3W')).toEqual([[0, 'One acre']]);
  });

  test('is read again from what was written of it', () => {
    for (const text of ['NE1/4 SW1/4, Lots 1-3, S12 T5N R3W 6th PM', 'W2E2NE, S36 T12½N R104E MDM', 'T5N R3W'])
      expect(read(read(text)[0]?.split(' = ')[0] ?? '')).toEqual(read(text));
  });

  test('takes any text without an error, and loses no word', () => {
    const words = [
      'NE1/4',
      'S12',
      'T5N',
      'R3W',
      'of',
      ',',
      'Lots',
      '1',
      '&',
      'less',
      'N',
      'feet',
      ';',
      '½',
      'and',
      '6th',
      'PM',
      '-',
      '(',
    ];
    const random = seededRandom(7);
    for (let run = 0; run < 3000; run++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 9) },
        () => words[Math.floor(random() * words.length)],
      ).join(random() < 0.5 ? ' ' : '');
      for (const { at, words: left } of parseLegalDescription(text).unread)
        expect(text.slice(at, at + left.length)).toBe(left);
    }
  });
});

test('an aliquot part halves and quarters, and is written innermost first', () => {
  expect(aliquotAcres(['SW', 'NE', 'W'])).toBe(20);
  expect(aliquotText(['SW', 'NE', 'W'])).toBe('W½NE¼SW¼');
});

describe('a meridian', () => {
  test('is known by name, initials and code', () => {
    const names = ['M.D.M.', 'Mount Diablo Base and Meridian', 'Mt. Diablo Meridian', '21'].map(meridianOf);
    expect(names).toEqual(Array(4).fill('Mount Diablo'));
    expect(['6', 'Sixth Principal Meridian', '6th P. M.'].map(meridianOf)).toEqual(Array(3).fill('6th PM'));
    expect(meridianOf('Greenwich')).toBeNull();
  });

  test('is one for each of its names and codes', () => {
    for (const { code, short, also } of meridians)
      for (const name of [code, short, ...also]) expect([name, meridianOf(name)]).toEqual([name, short]);
  });
});
