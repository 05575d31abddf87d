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
      'LIVING, JOHN A',
      'LIVING JOHN & MARY',
      'JOHN LIVING',
      'SMITH, JOHN REV',
      'REV JOHN SMITH',
      'JONES REV L',
      'FAM, KIM',
      'SMITH FAMILY',
      'HUD, PETER',
      'CHAPTER, ANN',
      'CONDO, MARIO',
      'MASTER, JOHN',
      'TRT, ANN',
      'SMITH TRT',
      // As long as a field of 30, and 31 characters with a reverend at the end.
      'LIVING, BARTHOLOMEW & ANNELIESE',
      'SMITHSONIAN, BARTHOLOMEW A REV X',
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
      'NOWHERE LUTHERAN CH',
      'GRACE EVANGELIC NOWHERE CH',
      'SAMPLE CONF OF SEVENTH DAY',
      'POOR SISTERS OF NOWHERE',
      'FRIENDS OF THE IMMACULATE HEART',
      'SAMPLE VALLEY PADDLERS CHAPTER',
      'QZ CARPENTRY',
      'HILLTOP CONDOS LLC',
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
      // Cut off in the middle of what they are; invented names, of 30 characters where the ending may be a name.
      'SAMPLE, JOHN & MARY A REV T',
      'SAMPLE, JOHN & MARY A REV F',
      'SAMPLE, JOHN & MARY A REV L',
      'SAMPLE, JOHN A REV LIVI',
      'SAMPLE, JOHN A REVOCA',
      'SAMPLE JOHN IRREV LIV',
      'SAMPLE JOHN A 1999 LIVING T',
      'SAMPLE JOHN A REV LIVING T',
      'SAMPLE FAMILY T',
      'SAMPLE FAMILY R',
      'SAMPLE, JOHN FAMIL',
      'SAMPLE, JOHN FAMI',
      'SAMPLE, JOHN & MARY JOINT REV',
      'SAMPLE JOHN REV LIV TRT 4-5-16',
      'SAMPLE JOHN REV LIV TRT',
      'SAMPLERSON, BARTHOLOMEW A REV',
      'SAMPLERSON, BARTHOLOMEW AX REV',
      'SAMPLERS, BARTHOLOMEW R LIVING',
      'SAMPLERSON, BARTHOLOMEW A FAM',
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
      'SAMPLE ADD NOWHERE PARK AREA',
      'HUD',
      'NPS',
      'BLM',
      'USFS',
      'U.S.A.',
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
      'HILLTOP STREET CONDO MASTER',
      'HILLTOP CONDOMINIUM',
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

  test('of megabytes is recognized at once by its beginning', () => {
    for (const part of ['TRUST OF ', 'TRUST ', 'STATE ', 'A-', 'A,', 'CONDO MASTER ', 'REV LIV ', ' ']) {
      expect(() => ownerType(part.repeat(500_000))).not.toThrow();
    }
    expect(ownerType(`TOWN OF NOWHERE ${'A '.repeat(500_000)}`)).toBe('government');
  });

  test('is unknown without a name', () => {
    expect(ownerType(null)).toBeNull();
  });
});
