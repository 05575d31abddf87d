/** A request of the public API in common tools, with all its pages. The key is a placeholder, never a real one. */
import type { EngineClient } from '../client/engine-client.ts';
import { copyText } from '../parts/clipboard.ts';
import { apiAddressToBe } from './api-address.ts';

export interface ApiRequest {
  /** With its query. */
  readonly path: string;
  /** JSON, for a POST. */
  readonly body?: string;
  readonly noun: 'parcels' | 'comps';
}

interface CopyForm {
  readonly id: 'curl' | 'power_query' | 'python' | 'node';
  readonly label: string;
  readonly text: (request: ApiRequest, origin: string) => string;
}

const key = 'YOUR_KEY';

/** A single quote would end the shell's quoted text, so each is closed, escaped and reopened. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = ({ path, body }: ApiRequest, origin: string): string =>
  [
    `curl -s '${origin}${path}'`,
    `  -H 'Authorization: Bearer ${key}'`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json' -d ${shellQuoted(body)}`]),
  ].join(' \\\n');

/** M doubles quotes inside a text. */
function powerQuery({ path, body }: ApiRequest, origin: string): string {
  const [given, content, type] =
    body === undefined
      ? ['', '', '']
      : [
          `\n  Body = "${body.replaceAll('"', '""')}",`,
          'Content = Text.ToBinary(Body), ',
          ', #"Content-Type" = "application/json"',
        ];
  return `let${given}
  Get = (url as text) => Json.Document(Web.Contents(url, [${content}Headers = [Authorization = "Bearer ${key}"${type}]])),
  Pages = List.Generate(() => Get("${origin}${path}"), each _ <> null,
    each if [next] = null then null else Get([next]), each [results]),
  Table = Table.FromRecords(List.Combine(Pages))
in
  Table`;
}

const python = ({ path, body, noun }: ApiRequest, origin: string): string => `import json, urllib.request

url, ${noun} = "${origin}${path}", []
headers = {"Authorization": "Bearer ${key}", "Content-Type": "application/json"}
while url:
    request = urllib.request.Request(url, ${body === undefined ? 'None' : `${JSON.stringify(body)}.encode()`}, headers)
    page = json.load(urllib.request.urlopen(request))
    ${noun} += page["results"]
    url = page["next"]
print(len(${noun}), "${noun}")`;

const node = ({ path, body, noun }: ApiRequest, origin: string): string => `const ${noun} = [];
const headers = { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' };
let url = '${origin}${path}';
while (url) {
  const response = await fetch(url, { headers${body === undefined ? '' : `, method: 'POST', body: JSON.stringify(${body})`} });
  const page = await response.json();
  ${noun}.push(...page.results);
  url = page.next;
}
console.log(${noun}.length, '${noun}');`;

export const copyForms: readonly CopyForm[] = [
  { id: 'curl', label: 'curl', text: curl },
  { id: 'power_query', label: 'Power Query (Excel)', text: powerQuery },
  { id: 'python', label: 'Python', text: python },
  { id: 'node', label: 'Node', text: node },
];

/** @throws ClientError */
export const copyRequest = async (client: EngineClient, form: CopyForm, request: ApiRequest): Promise<void> =>
  copyText(form.text(request, await apiAddressToBe(client)), `Copied as ${form.label}`);
