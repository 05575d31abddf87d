import { describe, expect, test } from 'vitest';
import { knownFirstNames } from '../../engine/contacts/first-names.ts';
import { type OwnerPerson, parseOwnerName } from '../../engine/contacts/owner-name.ts';

/**
 * Owner strings as assessors write them, all invented, each with what a person reads in it: `LAST, FIRST MIDDLE (SUFFIX)`, several
 * persons with + between, or why nobody can be traced.
 */
const table: [string, string][] = [
  // Surname first, without a comma.
  ['SMITH JOHN', 'SMITH, JOHN'],
  ['SMITH JOHN A', 'SMITH, JOHN A'],
  ['SMITH JOHN A.', 'SMITH, JOHN A'],
  ['smith john a', 'SMITH, JOHN A'],
  ['  SMITH   JOHN  ', 'SMITH, JOHN'],
  ['SMITH JOHN ALBERT', 'SMITH, JOHN ALBERT'],
  ['SMITH J ALBERT', 'SMITH, J ALBERT'],
  ['SMITH J A', 'SMITH, J A'],
  ['SMITH J.A.', 'SMITH, J A'],
  ['QUIMBY THANDI', 'QUIMBY, THANDI'],
  ['OKAFOR NGOZI N', 'OKAFOR, NGOZI N'],
  ['SMITH JOHN Q X', 'SMITH, JOHN Q X'],
  ['THOMAS BRYCE', 'THOMAS, BRYCE'],
  ['MICHAEL DONNA JO', 'MICHAEL, DONNA JO'],
  ['CARL JUDITH Q', 'CARL, JUDITH Q'],
  ['JAMES BRONWEN', 'JAMES, BRONWEN'],
  ['SMITH-JONES MARY', 'SMITH-JONES, MARY'],
  ["O'BRIEN MARY-ANN", "O'BRIEN, MARY-ANN"],
  ['O’BRIEN PATRICK', "O'BRIEN, PATRICK"],
  ['MUÑOZ JOSÉ', 'MUÑOZ, JOSÉ'],
  ['NÚÑEZ ANA MARÍA', 'NÚÑEZ, ANA MARÍA'],
  ['LE MINH', 'LE, MINH'],
  ['LE THI LAN', 'LE, THI LAN'],
  ['NGUYEN LE', 'NGUYEN, LE'],
  ['NGUYEN VAN NAM', 'NGUYEN, VAN NAM'],
  // With a comma.
  ['SMITH, JOHN', 'SMITH, JOHN'],
  ['SMITH,JOHN', 'SMITH, JOHN'],
  ['SMITH , JOHN A', 'SMITH, JOHN A'],
  ['Smith, John Albert', 'SMITH, JOHN ALBERT'],
  ["O'BRIEN, MARY-ANN", "O'BRIEN, MARY-ANN"],
  ['QUIMBY. THANDI', 'QUIMBY, THANDI'],
  ['QUIMBY.THANDI A', 'QUIMBY, THANDI A'],
  ['ST. PIERRE, LUC Q.', 'ST PIERRE, LUC Q'],
  ['SMITH, J. ROBERT', 'SMITH, J ROBERT'],
  ['SMITH, DR JOHN', 'SMITH, JOHN'],
  ['SMITH, JOHN MD', 'SMITH, JOHN'],
  ['SMITH, JOHN A, ESQ', 'SMITH, JOHN A'],
  ['BANKS, MARY', 'BANKS, MARY'],
  ['TOWN, MARY', 'TOWN, MARY'],
  ['CHURCH, JOHN H', 'CHURCH, JOHN H'],
  ['LANE, PRISCILLA Q', 'LANE, PRISCILLA Q'],
  ['SMITH, ADA LANE', 'SMITH, ADA LANE'],
  // Surnames of several words.
  ['VAN DER BERG PIETER', 'VAN DER BERG, PIETER'],
  ['VAN DER BERG, PIETER J', 'VAN DER BERG, PIETER J'],
  ['VANDER QUILL PIET & OLGA Z', 'VANDER QUILL, PIET + VANDER QUILL, OLGA Z'],
  ['DE LA CRUZ MARIA', 'DE LA CRUZ, MARIA'],
  ['DE LA CRUZ MARIA & JOSE', 'DE LA CRUZ, MARIA + DE LA CRUZ, JOSE'],
  ['DEL RIO ANNA', 'DEL RIO, ANNA'],
  ['DI MARCO PAOLO', 'DI MARCO, PAOLO'],
  ['DA SILVA JOAO P', 'DA SILVA, JOAO P'],
  ['ST PIERRE PATRICIA', 'ST PIERRE, PATRICIA'],
  ['SAINT JOHN, MARY', 'SAINT JOHN, MARY'],
  ['LA ROCHE MARC', 'LA ROCHE, MARC'],
  ['LE BLANC MARIE', 'LE BLANC, MARIE'],
  ['MC DONALD ALICE', 'MC DONALD, ALICE'],
  ['O BRIEN MARY', 'O BRIEN, MARY'],
  ['D ANGELO ROSA', 'D ANGELO, ROSA'],
  ['VON HOLT INGRID', 'VON HOLT, INGRID'],
  ['GARCIA LOPEZ MARIA', 'GARCIA LOPEZ, MARIA'],
  ['IBARRA SANCHEZ LUCIA', 'IBARRA SANCHEZ, LUCIA'],
  ['GARCIA MARIA LOPEZ', 'GARCIA, MARIA LOPEZ'],
  // Couples and others.
  ['SMITH JOHN & MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN A & MARY B', 'SMITH, JOHN A + SMITH, MARY B'],
  ['SMITH JOHN &MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN AND MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN OR MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN/MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN + MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH, JOHN & MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH, JOHN A & MARY B', 'SMITH, JOHN A + SMITH, MARY B'],
  ['SMITH, JOHN & DOE, JANE', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH, JOHN; DOE, JANE', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH JOHN & DOE JANE', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH JOHN A & DOE JANE B', 'SMITH, JOHN A + DOE, JANE B'],
  ['SMITH JOHN, DOE JANE', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH JOHN & SMITH MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY SMITH', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY ANN', 'SMITH, JOHN + SMITH, MARY ANN'],
  ['SMITH JOHN & XANTHE LYNN', 'SMITH, JOHN + SMITH, XANTHE LYNN'],
  ['SMITH JOHN & OLGA ROSE QUIMBY', 'SMITH, JOHN + QUIMBY, OLGA ROSE'],
  ['SMITH JOHN & INGRID QUIMBY', 'SMITH, JOHN + QUIMBY, INGRID'],
  ['SMITH JOHN A & PETER Z & ANN', 'SMITH, JOHN A + SMITH, PETER Z + SMITH, ANN'],
  ['SMITH JOHN &', 'SMITH, JOHN'],
  ['SMITH JOHN A &', 'SMITH, JOHN A'],
  ['SMITH J & M', 'SMITH, J + SMITH, M'],
  ['SMITH, A Q, X Z & Y Q', 'SMITH, A Q + SMITH, X Z + SMITH, Y Q'],
  ['SMITH, JOHN, MARY & ANN', 'SMITH, JOHN + SMITH, MARY + SMITH, ANN'],
  ['SMITH,OTTO, HILDA, GRETA', 'SMITH, OTTO + SMITH, HILDA + SMITH, GRETA'],
  ['SMITH, Q & QUIMBY,', 'SMITH, Q'],
  ['JOHN & MARY SMITH', 'SMITH, JOHN + SMITH, MARY'],
  ['OTTO Q QUIMBY & HILDA Z QUIMBY', 'QUIMBY, OTTO Q + QUIMBY, HILDA Z'],
  // Given name first: rare in a roll, plain when it happens.
  ['JOHN A QUIMBY', 'QUIMBY, JOHN A'],
  ['LINDA QUIMBY', 'QUIMBY, LINDA'],
  ['MARY ANN QUIMBY', 'QUIMBY, MARY ANN'],
  ['PATRICIA VAN DER BERG', 'VAN DER BERG, PATRICIA'],
  // JR and the like.
  ['SMITH JOHN JR', 'SMITH, JOHN (JR)'],
  ['SMITH JOHN A JR', 'SMITH, JOHN A (JR)'],
  ['SMITH JOHN JR & MARY', 'SMITH, JOHN (JR) + SMITH, MARY'],
  ['SMITH JR JOHN', 'SMITH, JOHN (JR)'],
  ['SMITH JR, JOHN', 'SMITH, JOHN (JR)'],
  ['SMITH, JOHN JR.', 'SMITH, JOHN (JR)'],
  ['SMITH, JOHN A, JR', 'SMITH, JOHN A (JR)'],
  ['SMITH JOHN A, SR', 'SMITH, JOHN A (SR)'],
  ['SMITH II, OTTO Q', 'SMITH, OTTO Q (II)'],
  ['SMITH JOHN III', 'SMITH, JOHN (III)'],
  ['SMITH OTTO PAUL 3RD', 'SMITH, OTTO PAUL (III)'],
  ['SMITH OTTO IV & GRETA', 'SMITH, OTTO (IV) + SMITH, GRETA'],
  ['SMITH OTTO Q VI', 'SMITH, OTTO Q (VI)'],
  ['SMITH GRETA Q & OTTO Z JR.', 'SMITH, GRETA Q + SMITH, OTTO Z (JR)'],
  ['SMITH, X Q & SMITH JR, X Q', 'SMITH, X Q + SMITH, X Q (JR)'],
  ['SMITH VITO I', 'SMITH, VITO I'],
  ['SMITH TOM V', 'SMITH, TOM V'],
  // How the title is held.
  ['SMITH JOHN JR ETAL', 'SMITH, JOHN (JR)'],
  ['SMITH JOHN ET AL', 'SMITH, JOHN'],
  ['SMITH, OTTO Q ET AL', 'SMITH, OTTO Q'],
  ['SMITH JOHN ETUX', 'SMITH, JOHN'],
  ['SMITH JOHN ET UX', 'SMITH, JOHN'],
  ['SMITH JOHN ET UX MARY', 'SMITH, JOHN MARY'],
  ['SMITH MARY ET VIR', 'SMITH, MARY'],
  ['SMITH JOHN & MARY H/W', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY H & W', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY HUSBAND AND WIFE', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY JT TEN', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY JTWROS', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY JT', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY AS JOINT TENANTS', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & MARY JOINT', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN & DOE JANE T/C', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH JOHN & DOE JANE TENANTS IN COMMON', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH JOHN & MARY TEN BY ENT', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH JOHN 1/2 INT', 'SMITH, JOHN'],
  ['SMITH JOHN UND 1/2 INT', 'SMITH, JOHN'],
  ['SMITH JOHN 1/2 & DOE JANE 1/2', 'SMITH, JOHN + DOE, JANE'],
  ['SMITH OTTO Q & GRETA Z & 3/5 INT', 'SMITH, OTTO Q + SMITH, GRETA Z'],
  ['SMITH OTTO Q 28% INT', 'SMITH, OTTO Q'],
  ['SMITH OTTO JR & XANTHE 1/2 INTEREST', 'SMITH, OTTO (JR) + SMITH, XANTHE'],
  ['SMITH JOHN A SINGLE MAN', 'SMITH, JOHN'],
  ['SMITH MARY (WIDOW)', 'SMITH, MARY'],
  ['SMITH JOHN*', 'SMITH, JOHN'],
  ['SMITH JOHN "JACK"', 'SMITH, JOHN'],
  // Estates and life estates: the person named.
  ['ESTATE OF JOHN SMITH', 'SMITH, JOHN'],
  ['ESTATE OF JOHN A SMITH', 'SMITH, JOHN A'],
  ['THE ESTATE OF MARY ANN QUIMBY', 'QUIMBY, MARY ANN'],
  ['ESTATE OF QUIMBY THOMAS', 'QUIMBY, THOMAS'],
  ['ESTATE OF SMITH, JOHN', 'SMITH, JOHN'],
  ['ESTATE OF PATRICIA VAN DER BERG', 'VAN DER BERG, PATRICIA'],
  ['SMITH JOHN EST OF', 'SMITH, JOHN'],
  ['SMITH JOHN ESTATE OF', 'SMITH, JOHN'],
  ['SMITH, JOHN Q - ESTATE OF', 'SMITH, JOHN Q'],
  ['SMITH JOHN (ESTATE OF)', 'SMITH, JOHN'],
  ['SMITH JOHN EST', 'SMITH, JOHN'],
  ['SMITH JOHN HEIRS OF', 'SMITH, JOHN'],
  ['HEIRS OF JOHN SMITH', 'SMITH, JOHN'],
  ['SMITH JOHN HEIRS', 'SMITH, JOHN'],
  ['SMITH JOHN LIFE ESTATE', 'SMITH, JOHN'],
  ['SMITH, JOHN (LIFE ESTATE)', 'SMITH, JOHN'],
  ['SMITH JOHN L/E', 'SMITH, JOHN'],
  ['SMITH JOHN LIFE TENANT', 'SMITH, JOHN'],
  ['SMITH JOHN DECEASED', 'SMITH, JOHN'],
  // Care of, and other names.
  ['SMITH JOHN C/O JANE DOE', 'SMITH, JOHN'],
  ['SMITH, JOHN C/O DOE, JANE', 'SMITH, JOHN'],
  ['SMITH JOHN C/O FIRST BANK OF NOWHERE', 'SMITH, JOHN'],
  ['SMITH JOHN % JANE DOE', 'SMITH, JOHN'],
  ['SMITH JOHN ATTN: TAX DEPT', 'SMITH, JOHN'],
  ['SMITH JOHN AKA JACK SMITH', 'SMITH, JOHN'],
  ['SMITH JOHN A/K/A SMITH JACK & MARY', 'SMITH, JOHN + SMITH, MARY'],
  ['SMITH MARY FKA DOE MARY', 'SMITH, MARY'],
  ['SMITH MARY F/K/A MARY DOE', 'SMITH, MARY'],
  // Trusts, and trustees who are named: the title is the trust's.
  ['DOE, JANE TRUSTEE', 'trust'],
  ['DOE JANE TTEE', 'trust'],
  ['DOE, JANE, TRUSTEE', 'trust'],
  ['DOE JANE & JOHN TRUSTEES', 'trust'],
  ['J & M SMITH FAMILY TRUST', 'trust'],
  ['SMITH JOHN REVOCABLE TRUST', 'trust'],
  ['SMITH LIVING TRUST', 'trust'],
  ['SMITH REALTY TRUST', 'trust'],
  // Cut off by the width of the county's field.
  ['SMITH, OTTO & GRETA REV', 'trust'],
  ['SMITH, OTTO PAUL REV LIVIN', 'trust'],
  ['SMITH, OTTO & GRETA JOINT REV', 'trust'],
  ['SMITH, OTTO & HILDA FAMILY R', 'trust'],
  ['SMITH, OTTO & INGRID FAMIL', 'trust'],
  ['SMITH, GRETA Q 1999 LIVING T', 'trust'],
  ['SMITH, OTTO Q. & GRETA Z. RE', 'trust'],
  ['SMITH OTTO Q & GRETA Z REV LIV TRT 1-2-99', 'trust'],
  // Companies, public bodies, associations.
  ['QUILLMOOR LLC', 'company'],
  ['SMITH JOHN & SONS INC', 'company'],
  ['SMITH JOHN DBA SMITHS GARAGE', 'company'],
  ['FIRST BANK OF NOWHERE', 'company'],
  ['TOWN OF NOWHERE', 'government'],
  ['STATE OF ZZ', 'government'],
  ['USDA FOREST SERVICE', 'government'],
  ['QUILL BROOK HOMEOWNERS ASSOCIATION', 'hoa'],
  // No person's name.
  ['', 'unreadable'],
  ['   ', 'unreadable'],
  ['UNKNOWN', 'unreadable'],
  ['OWNER UNKNOWN', 'unreadable'],
  ['12345', 'unreadable'],
  ['SMITH', 'unreadable'],
  ['SMITH-QUIMBY', 'unreadable'],
  ['SMITH & QUIMBY', 'unreadable'],
  ['SMITH/QUIMBY/DOE/MARSH/Z', 'unreadable'],
  ['QUILLMOOR', 'unreadable'],
  ['C/O JANE DOE', 'unreadable'],
  ['9TH AVENUE NOWHERE CONDO MASTER', 'hoa'],
  ['NOWHERE STREET TOWNHOMES', 'unreadable'],
  ['SERVANTS OF THE GENTLE HEART', 'unreadable'],
  ['QUILL RIVER CANOE TRAIL', 'unreadable'],
  ['LOT 12 BLOCK 4', 'unreadable'],
  ['THE SMITH FAMILY', 'unreadable'],
  ['S, J', 'unreadable'],
];

const written = ({ last, first, middle, suffix }: OwnerPerson): string =>
  `${last}, ${[first, middle].filter(Boolean).join(' ')}${suffix ? ` (${suffix})` : ''}`;

function read(raw: string): string {
  const name = parseOwnerName(raw);
  return name.kind === 'individual' ? name.persons.map(written).join(' + ') : name.kind;
}

describe('parseOwnerName', () => {
  test('the table has at least 150 names, each once', () => {
    expect(new Set(table.map(([raw]) => raw)).size).toBe(table.length);
    expect(table.length).toBeGreaterThanOrEqual(150);
    expect(knownFirstNames).toBeGreaterThan(1000);
  });

  test.each(table)('%j is %s', (raw, expected) => {
    expect(read(raw)).toBe(expected);
  });

  test('gives fields, and leaves out what is not there', () => {
    expect(parseOwnerName('SMITH JOHN A JR & MARY')).toEqual({
      kind: 'individual',
      persons: [
        { first: 'JOHN', middle: 'A', last: 'SMITH', suffix: 'JR' },
        { first: 'MARY', last: 'SMITH' },
      ],
    });
    expect(parseOwnerName('QUILLMOOR LLC')).toEqual({ kind: 'company' });
  });

  test('reads names of people outside rolls, given name first', () => {
    const natural = (raw: string) => {
      const name = parseOwnerName(raw, 'given name first');
      return name.kind === 'individual' ? name.persons.map(written).join(' + ') : name.kind;
    };
    expect(natural('John Smith')).toBe('SMITH, JOHN');
    expect(natural('John A. Smith Jr.')).toBe('SMITH, JOHN A (JR)');
    expect(natural('Thandi Quimby')).toBe('QUIMBY, THANDI');
    expect(natural('Maria de la Cruz')).toBe('DE LA CRUZ, MARIA');
    expect(natural('Smith, John')).toBe('SMITH, JOHN');
    expect(natural('John & Mary Smith')).toBe('SMITH, JOHN + SMITH, MARY');
    expect(natural('Dr. Mary Ann Quimby')).toBe('QUIMBY, MARY ANN');
    expect(natural('Quillmoor LLC')).toBe('company');
    expect(natural('Quimby')).toBe('unreadable');
  });

  test('takes time in proportion to the length, whatever it is given', () => {
    // A million characters: work that grows with their square would run into the time limit of every test.
    for (const hostile of ['A ', 'A, ', '&', '(', '1/2 ']) {
      expect(parseOwnerName(`${hostile.repeat(300_000)}X`).kind, hostile).toBe('unreadable');
    }
  });
});
