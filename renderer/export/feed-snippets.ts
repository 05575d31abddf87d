/** How programs read a feed, with its own address. */

export interface FeedSnippet {
  readonly id: string;
  readonly label: string;
  readonly docs: string;
  readonly text: (url: string) => string;
}

/** Snippets for a table (a search or comps), whose address ends in .csv. */
export const tableSnippets: readonly FeedSnippet[] = [
  {
    id: 'libreoffice',
    label: 'LibreOffice',
    docs: 'Sheet, External Links: paste the address, choose how often to refresh. APNs and ZIP codes keep their zeros.',
    text: (url) => url.replace(/\.csv$/, '.xlsx'),
  },
  {
    id: 'power_query',
    label: 'Power Query',
    docs: 'Excel: Data, Get Data, Blank Query, Advanced Editor.',
    text: (url) => `let
  Source = Csv.Document(Web.Contents("${url}"), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
  Table = Table.PromoteHeaders(Source, [PromoteAllScalars = true])
in
  Table`,
  },
  {
    id: 'python',
    label: 'Python',
    docs: 'pandas; as text, so that APNs and ZIP codes keep their zeros.',
    text: (url) => `import pandas as pd\n\nparcels = pd.read_csv("${url}", dtype=str, encoding="utf-8-sig")`,
  },
  {
    id: 'r',
    label: 'R',
    docs: 'As text, so that APNs and ZIP codes keep their zeros.',
    text: (url) => `parcels <- read.csv("${url}", colClasses = "character", fileEncoding = "UTF-8-BOM")`,
  },
  {
    id: 'curl',
    label: 'curl',
    docs: 'Later requests only check for changes.',
    text: (url) => `curl -s --etag-compare parcels.etag --etag-save parcels.etag -o parcels.csv '${url}'`,
  },
  {
    id: 'qgis',
    label: 'QGIS',
    docs: 'Layer, Add Vector Layer, Protocol, GeoJSON.',
    text: (url) => url.replace(/\.csv$/, '.geojson'),
  },
];

/** Snippets for one value, whose address ends in .txt. */
export const valueSnippets: readonly FeedSnippet[] = [
  {
    id: 'libreoffice',
    label: 'LibreOffice',
    docs: 'A cell that shows the value.',
    text: (url) => `=VALUE(WEBSERVICE("${url}"))`,
  },
  { id: 'curl', label: 'curl', docs: 'The number alone.', text: (url) => `curl -s '${url}'` },
];
