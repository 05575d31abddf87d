import { describe, expect, test } from 'vitest';
import { mailingKey } from '../../engine/contacts/mailing-key.ts';

const at = (address: string | null, zip: string | null = '03280') =>
  mailingKey({ address, city: 'Nowhere', state: 'NH', zip });

/** Each group is one door, however it is written. */
const sameDoor: string[][] = [
  ['12 Main Street', '12 MAIN ST', '12 MAIN ST.', '12  main   str'],
  ['850 North Elm Street', '850 N ELM ST', '850 N. Elm St.', '850 NO ELM ST'],
  ['100 Northeast Oak Avenue', '100 NE OAK AVE', '100 NE OAK AV'],
  ['5 Sample Mountain Road', '5 SAMPLE MTN RD'],
  [
    '12 Main St Apt 2',
    '12 MAIN STREET UNIT 2',
    '12 MAIN ST #2',
    '12 MAIN ST # 2',
    '12 MAIN ST, SUITE 2',
    '12 MAIN ST APT #2',
    '12 MAIN ST APT2',
  ],
  [
    'PO Box 611',
    'P.O. BOX 611',
    'P O BOX 611',
    'POST OFFICE BOX 611',
    'PO BOX #611',
    'BOX 611',
    '9 SAMPLE POND RD PO BOX 611',
    'C/O JOHN SMITH PO BOX 611',
  ],
  ['RR 2 Box 15', 'R.R. 2 BOX 15', 'RURAL ROUTE 2 BOX 15', 'RFD 2 BOX 15'],
  ['C/O JANE SMITH 88 ZED RD', '88 Zed Road', 'ATTN JANE 88 ZED RD', 'SMITH, JANE A 88 ZED RD'],
  ['3 Saint James Court', '3 ST JAMES CT'],
  ['41 First Street', '41 1ST ST'],
];

describe('the mailing key', () => {
  test.each(sameDoor.map((group) => [group]))('is one for %j', (group) => {
    const keys = new Set(group.map((address) => at(address)));
    expect([...keys]).toHaveLength(1);
    expect(keys.has(null)).toBe(false);
  });

  test('differs between the groups', () => {
    const keys = sameDoor.map(([first = '']) => at(first));
    expect(new Set(keys).size).toBe(sameDoor.length);
  });

  test.each([
    ['12 MAIN ST', '14 MAIN ST'],
    ['12 MAIN ST', '12 MAIN AVE'],
    ['12 MAIN ST', '12 N MAIN ST'],
    ['12 MAIN ST APT 2', '12 MAIN ST APT 3'],
    ['12 MAIN ST', '12 MAIN ST APT 2'],
    ['12 N ST', '12 NORTH ST'],
    ['PO BOX 61', 'PO BOX 611'],
    ['3/5 MAIN ST', '35 MAIN ST'],
  ])('tells %j from %j', (a, b) => {
    expect(at(a)).not.toBe(at(b));
  });

  test('looks at five digits of the ZIP', () => {
    expect(at('12 MAIN ST', '03280-1234')).toBe(at('12 MAIN ST', '03280'));
    expect(at('12 MAIN ST', '03281')).not.toBe(at('12 MAIN ST', '03280'));
  });

  test('takes city and state where there is no ZIP', () => {
    expect(at('12 MAIN ST', null)).toBe('12 MAIN ST||NOWHERE NH');
    expect(mailingKey({ address: '12 MAIN ST', city: 'nowhere ', state: 'nh', zip: null })).toBe(
      at('12 MAIN ST', null),
    );
    expect(mailingKey({ address: '12 MAIN ST', city: 'Nowhere', state: null, zip: null })).toBeNull();
  });

  test.each([null, '', 'GENERAL DELIVERY', 'MAIN STREET', 'C/O JOHN SMITH', 'UNKNOWN', '12', '#'])(
    'is null for %j: no door and no box',
    (address) => {
      expect(at(address)).toBeNull();
    },
  );
});
