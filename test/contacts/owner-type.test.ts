import { describe, expect, test } from 'vitest';
import { type OwnerType, ownerType } from '../../engine/contacts/owner-type.ts';

/** Invented names, of the forms that assessors write. */
const table: [OwnerType | null, string[]][] = [
  [
    'individual',
    [
      'SMITH, JOHN A',
      'SMITH JOHN & MARY',
      "O'BRIEN, PATRICK",
      'SMITH JOHN ESTATE OF',
      'ESTATE OF JOHN SMITH',
      'SMITH JOHN A HEIRS OF',
      'SMITH, JOHN LIFE ESTATE',
      // Surnames that are words of the tables.
      'BANKS, MARY',
      'CHURCH JOHN',
      'CHURCH, JOHN H',
      'TOWN, MARY',
      'TOWN MARY',
      'STATE, JOHN',
      'COUNTY JOHN',
      'COUNTY, MARY',
      'FARM, PETER',
      'TRUST, JOHN',
      'TRUST JOHN',
      'COLLEGE, ANN',
      'CAMP ROBERT & ANN',
      'NGUYEN HOA',
      'HOA, MINH',
      'INCE, ROGER',
      'CORPUS, MARIA',
    ],
  ],
  [
    'company',
    [
      'GREEN ACRES LLC',
      'GREEN ACRES, L.L.C.',
      'SMITH HOLDINGS, INC.',
      'SMITH LAND CO',
      'SAMPLE SERVICE CO OF NOWHERE',
      'FIRST NATIONAL BANK',
      'BANK OF NOWHERE',
      'PEOPLES TRUST COMPANY',
      'NOWHERE BANK & TRUST CO',
      'SAMPLE VALLEY LAND TRUST',
      'TRINITY LUTHERAN CHURCH',
      'CHURCH OF THE HILLS',
      'NOWHERE HISTORICAL SOCIETY',
      'SAMPLE POND ASSOCIATION',
      'UNITED STATES WIDGET CORP',
      'STATE STREET PROPERTIES LLC',
      'SMITH REAL ESTATE LLC',
      'TRUSTEES OF NOWHERE COLLEGE',
      'NOWHERE ELECTRIC COOP',
      'ANNEX MONEY TRUST FOR PUBLIC LAND',
      'QZ RANCH',
    ],
  ],
  [
    'trust',
    [
      'SMITH FAMILY TRUST',
      'SMITH, JOHN REV TRUST',
      'SMITH, JOHN A REVOCABLE TRU',
      'SMITH, JOHN - TRUSTEE',
      'SMITH JOHN & MARY TRUSTEES',
      'SMITH JOHN TTEE',
      'SMITH, JOHN & MARY TR',
      'SMITH REALTY TRUST',
      'THE SMITH TRUST OF 2015',
      'LAND TRUST NO 1234',
      'TRUST OF JOHN SMITH',
      'ACME LLC TRUSTEE',
    ],
  ],
  [
    'government',
    [
      'TOWN OF NOWHERE',
      'NOWHERE, TOWN OF',
      'NOWHERE,  TOWN OF - TAX DEED',
      'STATE OF MONTANA',
      'CITY OF NOWHERE',
      'UNITED STATES OF AMERICA',
      'U S FOREST SERVICE',
      'NOWHERE COUNTY',
      'COUNTY OF NOWHERE',
      'NOWHERE SCHOOL DISTRICT #15',
      'NOWHERE SCHOOL DIST',
      'MONTANA DEPT OF TRANSPORTATION',
      'BUREAU OF LAND MANAGEMENT',
      'NOWHERE HOUSING AUTHORITY',
      'NOWHERE RURAL FIRE DISTRICT',
      'NOWHERE VILLAGE DIST',
    ],
  ],
  [
    'hoa',
    [
      'LAKE VIEW HOMEOWNERS ASSOCIATION',
      "LAKE VIEW HOMEOWNER'S ASSN INC",
      'LAKE VIEW HOA',
      'LAKE VIEW POA INC',
      'LAKE VIEW PROPERTY OWNERS ASSOC',
      'HILLTOP CONDOMINIUM ASSOCIATION',
      'HILLTOP CONDOMINIUM TRUST',
      'HILLTOP CONDO ASSN',
      'EAST SHORE COMMUNITY ASSOCIATION',
    ],
  ],
  [null, ['', '   ', 'UNKNOWN', 'OWNER UNKNOWN', '12345', '---', 'N/A']],
];

describe('the owner type of a raw name', () => {
  for (const [type, names] of table) {
    test.each(names)(`%j is ${type}`, (name) => {
      expect(ownerType(name)).toBe(type);
    });
  }

  test('is unknown without a name', () => {
    expect(ownerType(null)).toBeNull();
  });
});
