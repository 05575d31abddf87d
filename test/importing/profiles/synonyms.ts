/** How counties call what every file has: for files made of names picked at random. */
export interface Synonyms {
  /** Field of a synthetic parcel. */
  readonly field: string;
  readonly names: readonly string[];
}

/** Column of the dictionary → names; each file has about two thirds of them. */
export const synonyms: Readonly<Record<string, Synonyms>> = {
  apn: {
    field: 'pin',
    names: [
      'PARCELID',
      'PIN',
      'GPIN',
      'APN',
      'PARCEL_NO',
      'ParcelNumber',
      'PARNO',
      'MAPLOT',
      'MBLU',
      'TAXPIN',
      'PID',
      'PARCEL_NUM',
      'Folio',
      'TMS',
      'parcel_id',
      'PARCEL',
    ],
  },
  owner_name: {
    field: 'owner',
    names: [
      'OWNER',
      'OWNNAME1',
      'OWNER_NAME',
      'OwnerName',
      'OWNER1',
      'OWN_NAME',
      'owner_1',
      'OWNERNME1',
      'CURRENT_OWNER',
      'OWNER_FULL_NAME',
    ],
  },
  owner_name_2: {
    field: 'ownerSecond',
    names: ['OWNER2', 'OWNNAME2', 'OWNER_NAME2', 'CO_OWNER', 'COOWNER', 'SECOND_OWNER', 'owner_2'],
  },
  mailing_address: {
    field: 'mailStreet',
    names: [
      'MAILADDR',
      'MAIL_ADDRESS',
      'MailingAddress',
      'OWNER_ADDRESS',
      'OWNADDR',
      'MAIL_STREET',
      'BILLING_ADDRESS',
      'PSTLADRESS',
      'owner_addr',
    ],
  },
  mailing_city: {
    field: 'mailCity',
    names: ['MAILCITY', 'MAIL_CITY', 'MailingCity', 'OWNER_CITY', 'OWNCITY', 'MCITY', 'M_CITY', 'owner_city'],
  },
  mailing_state: {
    field: 'mailState',
    names: ['MAILSTATE', 'MAIL_ST', 'MailingState', 'OWNER_STATE', 'OWNSTATE', 'MSTATE', 'OWN_ST'],
  },
  mailing_zip: {
    field: 'mailZip',
    names: ['MAILZIP', 'MAIL_ZIPCODE', 'MailingZip', 'OWNER_ZIP', 'OWNZIP', 'MZIP', 'OWNER_POSTAL_CODE'],
  },
  situs_address: {
    field: 'situs',
    names: [
      'SITUSADDR',
      'SITUS',
      'SITE_ADDR',
      'SiteAddress',
      'PROP_ADDR',
      'PROPERTY_LOCATION',
      'PHYS_ADDR',
      'LOCATION_ADDRESS',
      'PHYADDR',
      'SITE_ADDRESS',
    ],
  },
  situs_city: {
    field: 'situsCity',
    names: ['SITUSCITY', 'SITE_CITY', 'PROP_CITY', 'PHY_CITY', 'SCITY', 'LOC_CITY', 'PropertyCity'],
  },
  situs_zip: { field: 'situsZip', names: ['PROP_ZIP', 'SITUS_ZIP', 'SITE_ZIPCODE', 'PHY_ZIP', 'SZIP', 'SitusZip5'] },
  acres: {
    field: 'acresRecorded',
    names: [
      'ACRES',
      'ACREAGE',
      'TOTAL_ACRES',
      'DEED_ACRES',
      'LAND_ACRES',
      'TotalAcreage',
      'TAX_ACRES',
      'LEGAL_ACRES',
      'DEEDACRES',
      'LOT_ACRES',
    ],
  },
  legal_description: {
    field: 'legal',
    names: ['LEGAL', 'LEGAL_DESC', 'LegalDescription', 'LEGALDESC', 'LGL_DESC', 'SHORT_LEGAL'],
  },
  subdivision: {
    field: 'subdivision',
    names: ['SUBDIVISION', 'SUBDIV', 'SUBDIV_NAME', 'SubName', 'SUBD_NAME', 'PLAT_NAME'],
  },
  land_use_code: { field: 'useCode', names: ['LANDUSE', 'LAND_USE_CODE', 'USE_CODE', 'LU_CODE', 'USECD', 'LandUseCd'] },
  land_use_description: {
    field: 'useWords',
    names: ['USE_DESC', 'LANDUSEDESC', 'LAND_USE_DESCRIPTION', 'UseDescription', 'LU_DESC'],
  },
  zoning: { field: 'zoning', names: ['ZONING', 'ZONE', 'ZONE_CODE', 'ZONING_CLASS', 'ZoningDistrict', 'ZONECD'] },
  market_land_value: {
    field: 'marketLand',
    names: ['APPR_LAND', 'MKT_LAND', 'LAND_MKT_VAL', 'MarketLandValue', 'APPRLAND', 'LAND_APPRAISED'],
  },
  market_improvement_value: {
    field: 'marketBuilt',
    names: ['APPR_BLDG', 'MKT_IMPR', 'IMP_MKT_VAL', 'MarketImprovementValue', 'APPRIMP', 'BLDG_APPRAISED'],
  },
  market_total_value: {
    field: 'marketTotal',
    names: ['APPR_TOT', 'MKT_TOTAL', 'TOTAL_MKT_VAL', 'MarketValue', 'APPRTOTAL', 'TOT_APPRAISED'],
  },
  assessed_total_value: {
    field: 'assessedTotal',
    names: ['ASSD_TOTAL', 'TOTAL_ASSESSED', 'AssessedValue', 'ASSESSED_VAL', 'TOT_ASMT', 'ASDTOTAL'],
  },
  last_sale_date: {
    field: 'saleDate',
    names: ['SALEDT', 'SALE_DATE', 'LastSaleDate', 'SALEDATE', 'DATE_SOLD', 'SALE_DT', 'LAST_SALE_DT'],
  },
  last_sale_price: {
    field: 'salePrice',
    names: ['SALEPRICE', 'SALE_AMT', 'LastSalePrice', 'SALE_PRC', 'CONSIDERATION', 'SALEAMT', 'SALEPR', 'SALE_VALUE'],
  },
  year_built: {
    field: 'yearBuilt',
    names: ['YEARBUILT', 'YR_BUILT', 'YRBLT', 'YearBuilt', 'BUILT_YEAR', 'AYB', 'ACT_YR_BLT'],
  },
  building_sqft: {
    field: 'buildingSquareFeet',
    names: ['BLDG_SQFT', 'LIVING_AREA', 'TotalLivingArea', 'BLDG_AREA', 'HEATED_SQFT', 'FIN_SQFT'],
  },
  tax_year: { field: 'taxYear', names: ['TAX_YEAR', 'TAXYR', 'TaxYear', 'TAX_YR'] },
  school_district: { field: 'school', names: ['SCHOOL_DISTRICT', 'SCHOOLDIST', 'SCH_DIST', 'SchoolDistrictName'] },
  last_sale_document_type: { field: 'deedType', names: ['DEED_TYPE', 'INSTR_TYPE', 'DOC_TYPE', 'DeedType'] },
};

/** Other columns of such files: none belongs to the dictionary. */
export const distractions: Readonly<Record<string, string>> = {
  OBJECTID: 'rowNumber',
  Shape_Area: 'shapeArea',
  Shape_Length: 'shapeLength',
  GIS_ACRES: 'shapeAcres',
  CALC_ACRES: 'shapeAcres',
  DEEDBK: 'deedBook',
  DEEDPG: 'deedPage',
  NBHD: 'neighborhood',
  TWP: 'township',
  RNG: 'range',
  SECTION: 'section',
  TAX_DIST: 'taxDistrict',
  COUNTY: 'countyName',
  LAST_EDIT_DATE: 'editDate',
  EDITED_BY: 'editor',
  GlobalID: 'guid',
  CENSUS_TRACT: 'censusTract',
  LATITUDE: 'latitude',
  LONGITUDE: 'longitude',
  BEDROOMS: 'bedrooms',
  EFF_YR_BLT: 'effectiveYear',
  TAXABLE_VALUE: 'taxable',
  EXEMPT_AMT: 'exempt',
  HOMESTEAD: 'homestead',
  OWNER_PHONE: 'phone',
  BLOCK: 'block',
  LOT: 'lot',
};
