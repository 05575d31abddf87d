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
  ['14A Oak Lane', '14 A OAK LN', '14-A OAK LN'],
  ['7 Elm St Apt 14A', '7 ELM ST APT 14 A', '7 ELM ST # 14-A', '7 ELM ST APT14A', 'APT 14A 7 ELM ST'],
  ['P.O. BOX 0012', 'PO BOX 12'],
  ['PO BOX 17-A', 'PO BOX 17A', 'PO BOX 17 A'],
  ['PO BOX 4-1234', 'PO BOX 4 1234'],
  ['HC 01 BOX 7', 'HC 1 BOX 7', 'HCR 1 BOX 007', 'BOX 7 HC 1', 'STAR ROUTE 1 BOX 7'],
  ['RT 4 BOX 9', 'ROUTE 4 BOX 9', 'RR 4 BOX 9', 'RR 4 PO BOX 9', 'BOX 9 RR 4'],
  ['PSC 3 PO BOX 200', 'PSC 3 BOX 200'],
  ['77 CR 5', '77 COUNTY ROAD 5', '77 CO RD 5', '77 COUNTY RD NO 5', '77 County Road #5'],
  ['77 US HWY 287', '77 HWY 287', '77 U.S. HIGHWAY 287', '77 US 287', '77 HIGHWAY NO 287'],
  ['60 BIRCH ST # 2', '60 BIRCH ST NO 2', '60 BIRCH ST NO. 2', '60 BIRCH ST APT 02', 'UNIT 2 60 BIRCH ST'],
  ['555 MAIN ST PMB 12', '555 MAIN ST # 12', 'PMB 12 555 MAIN ST', 'PMB 12, 555 Main Street'],
  ['5 MT RD', '5 MOUNTAIN RD', '5 MTN ROAD'],
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
    ['PO BOX 4-1234', 'PO BOX 4-9999'],
    ['PO BOX 4 1234', 'PO BOX 4'],
    ['PO BOX 17-A', 'PO BOX 17'],
    ['PO BOX 17 A', 'PO BOX 17'],
    ['RR 1 BOX 12-3', 'RR 1 BOX 12'],
    ['RR 1 BOX 12', 'RR 2 BOX 12'],
    ['RR 1 BOX 12 LOT 3', 'RR 1 BOX 12 LOT 4'],
    ['RR 1 PO BOX 12', 'PO BOX 12'],
    ['PMB 12 555 MAIN ST', 'PO BOX 12'],
    ['PMB 12 555 MAIN ST', 'PMB 12 900 OAK ST'],
    ['PMB 12 555 MAIN ST', 'PMB 13 555 MAIN ST'],
    ['BOX 40 HC 30', 'BOX 40 HC 31'],
    ['BOX 40 HC 30', 'BOX 40 RR 30'],
    ['BOX 40 HC 30', 'PO BOX 40'],
    ['BOX 40 RR 1', 'PO BOX 40'],
    ['PSC 3 PO BOX 200', 'PSC 4 PO BOX 200'],
    ['PSC 3 PO BOX 200', 'PO BOX 200'],
    ['UNIT 2050 BOX 4', 'UNIT 2051 BOX 4'],
    ['14 A ST', '14A ST'],
    ['14 N OAK LN', '14 OAK LN'],
    ['12 E ST', '12 ST'],
    ['77 STATE HWY 287', '77 US HWY 287'],
    ['77 CR 5', '77 CR 50'],
    ['5 MT SAMPLE RD', '5 MTN SAMPLE RD'],
    ['BOX 40 STAR RTE', 'PO BOX 40'],
    ['PO BOX 40 STATION A', 'PO BOX 40 STATION B'],
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

  test('of texts that are no address is null, at once', () => {
    for (const part of ['PO BOX ', '1 ', 'UNIT ', 'RR 1 BOX ', 'COUNTY ROAD ', '1-', 'PSC 1 ']) {
      expect(at(part.repeat(100_000))).toBeNull();
    }
  });

  test.each([
    null,
    '',
    'GENERAL DELIVERY',
    'MAIN STREET',
    'C/O JOHN SMITH',
    'UNKNOWN',
    '12',
    '#',
    'PMB 12',
    'PO BOX',
    'PO BOX OFFICE',
  ])('is null for %j: no door and no box', (address) => {
    expect(at(address)).toBeNull();
  });
});
