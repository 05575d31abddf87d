/**
 * The meaning of column names. Counties join and cut words (OWNERNME1, PSTLADRESS, totallandv), so a name is split into
 * known words, each with one or several meanings (ST: state, street).
 */

/** One line per concept: its name, then the spellings counties use, full words first. */
const lines = `
owner OWNER OWNERS OWNR OWN OWNERSHIP TITLEHOLDER DEEDHOLDER GRANTEDTO
coowner COOWNER COOWN COOWNR SPOUSE
taxpayer TAXPAYER TAXPAYERS TXPYR TAXPR TP
care CAREOF INCAREOF CARE ATTN ATTENTION
name NAME NAMES NME NAM NM
full FULL FULLY WHOLE COMPLETE ALL
first FIRST FRST FST
last LAST LST
primary PRIMARY PRIM MAIN CURRENT CURR CUR PRESENT OFRECORD
second SECOND SECONDARY ADDITIONAL ADDL ADD OTHER MORE CO
address ADDRESS ADDRESSES ADRESS ADDR ADDRS ADDRSS ADRS ADR ADD
line LINE LN L
mail MAILING MAIL MAILNG MLG ML PSTL POSTAL BILLING BILL CORRESPONDENCE
situs SITUS SITUSE SITE SIT PROPERTY PROP PRPRTY PRPTY PHYSICAL PHYS PHY LOCATION LOCATED LOC LOCA PREMISE PREMISES
parcel PARCEL PARCELS PRCL PCL PAR PARC PARCL
city CITY CITYNAME CTY CTYNM COMMUNITY POSTOFFICE
town TOWN TOWNNAME MUNICIPALITY MUNI MUN
state STATE STAT STATECODE STA ST
zip ZIPCODE ZIPCD ZIP ZIP5 ZIPC ZC POSTALCODE POSTCODE POSTAL
zip4 ZIP4 PLUS4 ZIPPLUS4 ZIPEXT
street STREET STREETNAME STRNAME STNAME STRT STR ROAD RDNAME ST RD
house HOUSE HOUSENO HSE HSENO HOUSENUMBER HOUSENUM STREETNUMBER STREETNUM STRNUM STNUM STNO ADDNUM ADDRNO ADRNO ADDRNUM
number NUMBER NUMB NUM NBR NMBR NMBER NO NR
direction DIRECTION DIR PREDIR PRE PREFIX STDIR
suffix SUFFIX SUFX SUF SFX STREETTYPE STTYPE POSTTYPE
unit UNIT APT SUITE UNITNO UNITNUM
value VALUE VALUES VALU VALUATION VAL VLU VL
amount AMOUNT AMT
total TOTAL TOTALS TOTL TTL TOT NET GRAND
land LAND LANDS LND
improvement IMPROVEMENT IMPROVEMENTS IMPROVE IMPROV IMPRV IMPRVT IMPR IMPS IMP
building BUILDING BUILDINGS BULDNG BLDGS BLDG BLDNG BLD BUILD
structure STRUCTURE STRUCTURES STRUCT
market MARKET MARKT MRKT MKT MK JUST FAIR TRUE FMV FMKT RMV EMV APPRAISED APPRAISAL APPRAIS APPRSD APPRS APPR APR
assessed ASSESSED ASSESSMENT ASSESS ASSESSD ASSD ASSMT ASMT ASMNT ASD ASSE ASS AV
taxable TAXABLE TXBL TAXVAL
exempt EXEMPT EXEMPTION EXEMPTIONS EXMPT EX
sale SALE SALES SALED SLE SL SOLD TRANSFER XFER CONVEYANCE CONVEY
deed DEED DEEDS INSTRUMENT INSTR INST DOCUMENT DOC
recording RECORDING RECORDED RECORD REC RECD
deeded DEEDED
price PRICE PRIC PRC PRCE PR CONSIDERATION CONSIDER CONSID CONSIDR CONSDR
date DATE DATES DAT DTE DT
year YEAR YEARS YR FY
month MONTH MO
tax TAX TAXES TX
bill BILLED LEVY DUE
delinquent DELINQUENT DELINQ DELQ DLQ UNPAID
acres ACREAGE ACRES ACRE ACRS ACR AC
sqft SQUAREFEET SQUAREFOOT SQFEET SQFOOT SQFT SQFTG SF SQF
square SQUARE SQ
feet FEET FOOT FT FOOTAGE
area AREA SIZE
lot LOT LOTS
calculated CALCULATED CALCULATE CALC CAL COMPUTED GIS GEO MAPPED POLY POLYGON SHAPE SHP
map MAP MAPS TAXMAP
recorded STATED ASSESSORS
legal LEGAL LEGL LGL LEG
description DESCRIPTION DESCRIPT DESCRIP DESCR DESC DSCRIPTN DSCRPTN DSCRP DSCR DSC DES
short SHORT ABBREVIATED ABB
subdivision SUBDIVISION SUBDIVISN SUBDIVISIO SUBDIV SUBDIVN SUBD SUBDV SUBNAME SUB
plat PLAT
use USE USES USAGE UTILIZATION
landuse LANDUSE LANDUS LNDUSE LUSE LU PUC DORUC
code CODE CODES CD COD CDE
class CLASS CLASSIFICATION CLASSIFICAT CLS CLSS CLSCD PROPCLASS
type TYPE TYP
zoning ZONING ZONE ZONED ZNG ZON ZN
school SCHOOL SCHOOLS SCHL SCH
district DISTRICT DISTRICTS DISTR DIST DST
built BUILT BLT CONSTRUCTED CONSTRUCTION CONST CONSTR
yearbuilt YEARBUILT YEARBLT YRBUILT YRBLT YRBLDG AYB BUILTYR BLTYR
effective EFFECTIVE EFF EYB
actual ACTUAL ACT
living LIVING LIV LVG FINISHED FIN HEATED HTD GROSS FLOOR BLDGSQFT RESAREA
count COUNT CNT NUMBEROF
grantor GRANTOR GRANTORS SELLER SELLERS GRNTR GRNT GRANT
grantee GRANTEE GRANTEES BUYER BUYERS PURCHASER GRNTEE
occupied OCCUPIED OCCUP OCC HOMESTEAD HOMESTD HMSTD HMSTEAD
qualified QUALIFIED QUALIFICATION QUAL QUALIF VALIDITY VALID
improved VACANT VACIMP
account ACCOUNT ACCT ACCTS ACCTNO ACCNT
apn APN APNS PIN PINS PID GPIN PARCELID PARCELNO PARCELNUM PARCELNUMBER PARCELNUMB PARCELNB PARNO PARNUM PARID PARCID PCLID PRCLID PCN FOLIO MAPLOT MAPBLKLOT MAPBLOCKLOT MBLU MBL TMK TMS SBL GEOCODE TAXPARCEL SPAN UPI AIN
taxid TAXID TAXPIN TAXMAP TAXMAPID
propid PROPID PROPERTYID PROPERTYNUMBER PROPNO REID
block BLOCK BLK BLOC
roll ROLL
feature FEATURE
id ID IDS IDENT IDENTIFIER KEY
old OLD FORMER PREVIOUS PREV PRIOR PRV PREC HISTORIC
alternate ALTERNATE ALTERN ALT
mortgage MORTGAGE MORTG MTG LOAN LENDER
flood FLOOD FLD FEMA
book BOOK BK
page PAGE PG
county COUNTY COUNTYNAME CNTY CNT CO
residential RESIDENTIAL RESID RES
object OBJECT OBJECTID OID FID GLOBALID GLOBAL GUID UUID GEOMETRY GEOM LENGTH LENG PERIMETER
census CENSUS TRACT BLOCKGROUP PRECINCT
edit EDIT EDITED EDITOR CREATED CREATE UPDATED UPDATE MODIFIED USER STAMP LOADED LOAD
range RANGE TOWNSHIP SECTION SEC TWP RNG
neighborhood NEIGHBORHOOD NEIGHBORHD NBHD NBRHD NBH NGHBRHD NEIGH
bed BEDROOM BEDROOMS BEDS BEDRMS BED BATH BATHS BATHROOMS BTHRMS
stories STORIES STORY
condition CONDITION COND GRADE QUALITY STYLE
phone PHONE TELEPHONE FAX EMAIL
country COUNTRY CNTRY CTRY
url URL LINK WEBSITE PHOTO IMAGE
latitude LATITUDE LAT LONGITUDE LON LONG XCOORD YCOORD CENTROID
relatives FAMILY RELATED
of OF THE IN FOR AND TO IS AT
`;

type Concept = string;

/** Each spelling with its possible meanings. */
const meanings: ReadonlyMap<string, readonly Concept[]> = readLines();

function readLines(): ReadonlyMap<string, readonly Concept[]> {
  const found = new Map<string, Concept[]>();
  for (const line of lines.trim().split('\n')) {
    const [concept = '', ...words] = line.split(' ');
    for (const word of words) found.set(word, [...(found.get(word) ?? []), concept]);
  }
  return found;
}

const longestWord = Math.max(...[...meanings.keys()].map((word) => word.length));
/** Letters of a name that a DBF keeps. */
const dbfLength = 10;

export interface NameWord {
  /** Possible meanings; empty: unknown. */
  readonly concepts: readonly Concept[];
  readonly text: string;
  /** Cut at the ten letters of a DBF. */
  readonly isCut: boolean;
}

interface Split {
  readonly cost: number;
  readonly words: readonly NameWord[];
}

/** Costs: the split with the fewest and longest known words wins. */
const wordCost = 1;
const shortWordCost = 1.6;
const unknownLetterCost = 2;
const cutCost = 1.3;

/** The words of a name: `OWNERNME1` is owner, name, 1; `SaleDate` and `SALE_DATE` are sale, date. */
export function wordsOf(name: string): NameWord[] {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    // MCITY and SCITY, mstate, szip: the owner's and the parcel's.
    .replace(/^m_?(?=(?:city|state|zip|addr)\w{0,4}$)/i, 'MAIL_')
    .replace(/^s(?=(?:city|zip|addr)\w{0,4}$)/i, 'SITUS_')
    .toUpperCase()
    .split(/[^A-Z\d]+/)
    .flatMap((part) => part.match(/[A-Z]+|\d+/g) ?? []);
  // ZIP4 and ZIP5 include their digit.
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before !== undefined && /^\d$/.test(part) && /ZIP$|PLUS$/.test(before) && meanings.has(`ZIP${part}`)) {
      joined[joined.length - 1] = before + part;
    } else joined.push(part);
  }
  const isCutName = name.length === dbfLength;
  return joined.flatMap((part, index) => splitPart(part, isCutName && index === joined.length - 1));
}

function splitPart(part: string, mayBeCut: boolean): readonly NameWord[] {
  if (/^\d+$/.test(part)) return [{ text: part, concepts: [`#${Number(part)}`], isCut: false }];
  const best: Split[] = [{ cost: 0, words: [] }];
  for (let end = 1; end <= part.length; end++) {
    const splits = best.slice(Math.max(0, end - longestWord)).flatMap((before, index) => {
      const start = Math.max(0, end - longestWord) + index;
      const piece = pieceOf(part.slice(start, end), mayBeCut && end === part.length);
      return piece ? [{ cost: before.cost + piece.cost, words: [...before.words, piece.word] }] : [];
    });
    // A single letter is always a possible piece.
    best.push(splits.reduce((cheapest, split) => (split.cost < cheapest.cost ? split : cheapest)));
  }
  return joinUnknown(best.at(-1)?.words ?? []);
}

function pieceOf(text: string, mayBeCut: boolean): { cost: number; word: NameWord } | null {
  const concepts = meanings.get(text);
  if (concepts) {
    return { cost: text.length <= 2 ? shortWordCost : wordCost, word: { text, concepts, isCut: false } };
  }
  const cut = mayBeCut ? conceptsBeginning(text) : [];
  if (cut.length > 0) {
    return { cost: cutCost + (text.length <= 2 ? 1 : 0), word: { text, concepts: cut, isCut: true } };
  }
  return text.length === 1 ? { cost: unknownLetterCost, word: { text, concepts: [], isCut: false } } : null;
}

/**
 * Concepts whose full spelling begins with this text: names are cut from full words, which come first in their lines.
 */
function conceptsBeginning(text: string): Concept[] {
  const found = new Set<Concept>();
  for (const [word, concepts] of meanings) {
    if (word.length > text.length && word.length >= 4 && word.startsWith(text))
      for (const one of concepts) found.add(one);
  }
  return [...found];
}

/** Joins adjacent unknown letters into one word. */
function joinUnknown(words: readonly NameWord[]): NameWord[] {
  const joined: NameWord[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    if (before && before.concepts.length === 0 && word.concepts.length === 0) {
      joined[joined.length - 1] = { ...before, text: before.text + word.text };
    } else joined.push(word);
  }
  return joined;
}
